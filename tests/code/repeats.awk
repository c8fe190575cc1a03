# SPDX-License-Identifier: MIT
# Blocks of six equal lines of code that stand in two places: awk -f repeats.awk FILE…; exit status 1 when there are any.
# Blank lines, comments, lines of brackets and the lines that begin every file (includes, shebangs, `set`, `source`) count as none.

function is_code(text) {
	return text != "" && text !~ /^([\/#*]|\/\*)/ && text !~ /^[][(){};,<>\\ ]*$/ && text !~ /^(fi|done|else|esac|then|do|break;|;;|END|EOF|set -.*|\. .*|\[ .* exit.*)$/
}

FNR == 1 { held = 0; again = 0 }
{
	text = $0
	gsub(/[ \t]+/, " ", text)
	gsub(/^ | $/, "", text)
	if (!is_code(text))
		next
	line[held % 6] = text
	number[held % 6] = FNR
	held++
	if (held < 6)
		next
	block = ""
	for (i = held - 6; i < held; i++)
		block = block line[i % 6] "\n"
	here = FILENAME ":" number[held % 6]
	if (!(block in seen)) {
		seen[block] = here
		again = 0
	} else if (!again) { # its first six lines; the rest of a longer one is told with them
		printf "%s repeats %s:\n", here, seen[block]
		gsub(/[^\n]+/, "    &", block)
		printf "%s", block
		again = bad = 1
	}
}
END { exit bad }
