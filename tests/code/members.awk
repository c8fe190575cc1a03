# SPDX-License-Identifier: MIT
# Members of a struct or union whose declaration is broken between its type and its name.
FNR == 1 { body = 0 }
/^((static|extern|typedef|const) )*(struct|union)[ a-z_0-9]*\{$/ { body = 1; next }
/^}/ { body = 0 }
body && /^[ \t]+[a-z]/ && !/[;,{}()\\][ \t]*$/ && !/;[ \t]*\/\*/ && !/\*\/[ \t]*$/ {
	printf "%s:%d: %s\n", FILENAME, FNR, $0
	bad = 1
}
END { exit bad }
