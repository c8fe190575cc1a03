# SPDX-License-Identifier: MIT
# Every key of a JSON text as "path<TAB>type": gids[].index<TAB>number. An array's elements are path[].
# A tree's nodes have one form: topo[].children[].children[].name is topo[].name.
paths as $p
| [($p | map(if type == "number" then "[]" else "." + . end) | join("") | ltrimstr(".") | gsub("(\\.children\\[\\])+"; "")), (getpath($p) | type)]
| @tsv
