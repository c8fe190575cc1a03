# SPDX-License-Identifier: MIT
# Every key of a JSON text as "path<TAB>type": gids[].index<TAB>number. An array's elements are path[].
# A tree's nodes have one form: topo[].children[].children[].name is topo[].name. No paths/1 and no regex: both are slow on what all machines print.
def keys_of($path):
  [$path, type],
  if type == "object" then
    keys[] as $key | .[$key] | keys_of(if $path == "" then $key else $path + "." + $key end)
  elif type == "array" then
    .[] | keys_of(if $path | endswith(".children") then $path[:-9] else $path + "[]" end)
  else empty end;
[keys_of("")] | unique[] | select(.[0] != "") | @tsv
