# SPDX-License-Identifier: MIT
# String literals that are broken in the middle of a sentence: a literal that goes on in the next line must have ended a line or a sentence there.
# One without a blank holds no sentence.
FNR == 1 { before = "" }
{
	if ($0 ~ /^[ \t]*"/ && before ~ /"$/ && before ~ /"[^"]* [^"]*"$/ && before !~ /(\\n|[.:;!?]) ?"$/) {
		printf "%s:%d: %s\n", FILENAME, FNR - 1, before
		bad = 1
	}
	before = $0
	sub(/[ \t]*\\?$/, "", before)
}
END { exit bad }
