# SPDX-License-Identifier: MIT
# Makes many hosts of the facts of one: jq -c --argjson hosts N -f fleet.jq facts.json. What is one host's own differs: name, GUIDs, MACs,
# addresses. With --arg plant yes, twelve of 64 have a fault each.
def hex2: . as $n | "0123456789abcdef" as $d | $d[($n / 16 | floor):][0:1] + $d[$n % 16:][0:1];
def own($i):
	.host = "node\($i)" | .time = "2026-11-22T10:\(10 + $i % 50):00.000Z"
	| .devices |= [to_entries[] | .key as $k | .value | .node_guid = "0c42:a1\($k | hex2):00\($i / 256 | floor | hex2):\($i % 256 | hex2)\($k | hex2)"]
	| .ports |= [to_entries[] | .key as $k | .value
		| .mac = "02:00:\($i / 256 | floor | hex2):\($i % 256 | hex2):00:\($k | hex2)"
		| .addresses = ["10.\(100 + $k).\($i / 256 | floor).\($i % 256)/16", "fe80::\($i):\($k)/64"]
		| .subnets = ["10.\(100 + $k).0.0/16"]];
def planted($i):
	if $i == 3 then .devices[4].fw_ver = "28.36.1010"
	elif $i == 7 then .ports |= map(.netdev_mtu = 1500 | .mtu = 1024)
	elif $i == 11 then .ports[2] |= (.rate_mbps = 200000 | .width = "2X")
	elif $i == 12 then .ports[5].pfc = []
	elif $i == 20 then .ports[0].addresses[0] = "10.100.0.21/16"
	elif $i == 25 then .kernel = "5.15.0-105-generic"
	elif $i == 30 then del(.ports[11], .devices[11]) | .device_count = 11
	elif $i == 33 then .ports[1].cm_mode = "IB/RoCE v1"
	elif $i == 40 then .ports[7].errors = ["port_rcv_errors=48211"]
	elif $i == 44 then .memlock = "65536"
	elif $i == 50 then .ports[3] |= (.addresses[0] = "192.168.9.50/24" | .subnets = ["192.168.9.0/24"] | .routed = false)
	elif $i == 60 then .devices[6] |= (.device = "roce6") | .ports[6] |= (.device = "roce6" | .netdev = "roce6p1")
	else . end;
. as $facts | range($hosts) | . as $i | $facts | own($i) | if $plant == "yes" then planted($i) else . end
