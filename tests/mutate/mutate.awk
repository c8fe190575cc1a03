# SPDX-License-Identifier: MIT
# mutate.awk -v first=N -v list=FILE SOURCE: the source with all mutants of its functions in it, each asleep until mutant_is(its number) says otherwise
# (mutant.h); numbered from N on. FILE gets a line each, by tabs: NUMBER, KIND, FUNCTION, TEXT, CHECKS that it is the judge of, FILE:LINE.
#
#   always-pass, always-na   a judge says so whatever it sees
#   verdict                  fail, warn, info or unknown is pass; pass, n/a is fail
#   comparison, condition    the opposite
#   constant                 one more
#
# It knows C as far as clang-format writes it: a function is what stands between a line "{" and a line "}".

BEGIN {
	number = first
	split("judge_fail judge_warn judge_info judge_unknown judge_pass judge_na", names, " ")
	for (i in names)
		says[names[i]] = 1
	split("VERDICT_FAIL VERDICT_WARN VERDICT_INFO VERDICT_UNKNOWN VERDICT_PASS VERDICT_NA", names, " ")
	for (i in names)
		verdict[names[i]] = 1
	split("== != < > <= >=", names, " ")
	for (i in names)
		compares[names[i]] = 1
	# what ends an operand of a comparison, at its own depth
	split("&& || ? : = += -= |= &= , ; return else", names, " ")
	for (i in names)
		ends[names[i]] = 1
}

# First pass: which functions are judges; which names are numbers.
FNR == NR {
	if (/^JUDGE\(/) {
		id = substr($0, 7, index($0, ")") - 7)
		judge = "judge_" id
		gsub(/_/, "-", id)
		checks[judge] = "," id
	}
	if ($0 ~ /enum \{/)
		in_enum = 1
	if (in_enum) {
		rest = $0
		while (match(rest, /[A-Z_0-9]+ = [0-9]+/)) {
			split(substr(rest, RSTART, RLENGTH), pair, " ")
			numbers[pair[1]] = 1
			rest = substr(rest, RSTART + RLENGTH)
		}
	}
	if ($0 ~ /\};?/)
		in_enum = 0
	next
}

FNR == 1 {
	printf "#line 1 \"%s\"\n", FILENAME
}
$0 == "{" {
	inside = 1
	count = 0
	start = FNR
	print
	next
}
$0 == "}" && inside {
	mutate()
	inside = 0
	print
	next
}
inside {
	tokenize($0)
	next
}
/^JUDGE\(|^PRECONDITION\(/ {
	name = ($0 ~ /^JUDGE/ ? "judge_" : "") substr($0, index($0, "(") + 1)
	sub(/\).*/, "", name)
	signature = "const struct subject *s, struct judgement *j)"
}
/^[a-z]/ && /\(/ {
	signature = $0
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
}
/^ / {
	signature = signature $0
}
{
	print
}

function add(text, kind) {
	count++
	token[count] = text
	sort[count] = kind
	line[count] = FNR
	before[count] = after[count] = ""
}

# Blanks are tokens, too, so that what isn't mutated stays as it was.
function tokenize(text,    comment) {
	while (text != "") {
		if (in_comment || substr(text, 1, 2) == "/*") {
			comment = index(text, "*/")
			in_comment = !comment
			if (!comment)
				comment = length(text) - 1
			add(substr(text, 1, comment + 1), "blank")
			text = substr(text, comment + 2)
			continue
		}
		if (match(text, /^[ \t]+/))
			add(substr(text, 1, RLENGTH), "blank")
		else if (match(text, /^"([^"\\]|\\.)*"/) || match(text, /^'([^'\\]|\\.)*'/))
			add(substr(text, 1, RLENGTH), "text")
		else if (match(text, /^[A-Za-z_][A-Za-z_0-9]*/))
			add(substr(text, 1, RLENGTH), "word")
		else if (match(text, /^(0x[0-9a-fA-F]+|[0-9][0-9.]*(e[0-9]+)?)[uUlL]*/))
			add(substr(text, 1, RLENGTH), "number")
		else if (match(text, /^(<<=|>>=|->|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\|=|&=|\+\+|--)/))
			add(substr(text, 1, RLENGTH), "sign")
		else if (match(text, /^./))
			add(substr(text, 1, 1), "sign")
		text = substr(text, RLENGTH + 1)
	}
	add("\n", "blank")
}

function near(at, step) {
	do
		at += step
	while (at > 0 && at <= count && sort[at] == "blank")
	return at
}

function note(at, kind, text,    was) {
	gsub(/[ \t\n]+/, " ", text)
	# what is a mutant already: as it was, so that a text isn't another one when mutants before it come or go
	while (match(text, /MUTANT_[A-Z]+\([0-9]+, [^()]*\)/)) {
		was = substr(text, RSTART, RLENGTH)
		sub(/^[^,]*, /, "", was)
		text = substr(text, 1, RSTART - 1) substr(was, 1, length(was) - 1) substr(text, RSTART + RLENGTH)
	}
	printf "%d\t%s\t%s\t%s\t%s\t%s:%d\n", number, kind, name, text == "" ? "-" : text, name in checks ? checks[name] : "-", FILENAME, line[at] >>list
	return number++
}

function text_of(from, to,    i, text) {
	for (i = from; i <= to; i++)
		text = text token[i]
	return text
}

# Where an operand of a comparison ends, from its sign on.
function reach(at, step,    depth, i, opens, closes) {
	opens = step > 0 ? "([{" : ")]}"
	closes = step > 0 ? ")]}" : "([{"
	depth = 0
	for (i = near(at, step); i > 0 && i <= count; i = near(i, step)) {
		if (index(closes, token[i]) && depth == 0)
			return at
		if (index(opens, token[i]))
			depth++
		else if (index(closes, token[i]))
			depth--
		else if (depth == 0 && (token[i] in ends))
			return at
		at = i
	}
	return at
}

function closing(at,    depth, i) {
	depth = 0
	for (i = at; i <= count; i++) {
		depth += token[i] == "("
		depth -= token[i] == ")"
		if (depth == 0)
			return i
	}
	return count
}

# What the compiler has to know beforehand: static tables, enums, labels, sizes of arrays.
function mark_fixed(    i, until, depth, braces, outside) {
	until = ""
	depth = braces = 0
	for (i = 1; i <= count; i++) {
		if (until == "" && (token[i] == "static" || (token[i] == "enum" && token[near(i, 1)] == "{")))
			until = ";"
		if (until == "" && token[i] == "case")
			until = ":"
		depth += token[i] == "["
		braces += (token[i] == "{") - (token[i] == "}")
		if (until == "")
			outside = braces # a struct that is declared in a static table has ";" of its own
		fixed[i] = until != "" || depth > 0 || token[i - 2] ~ /^U?INT[0-9]+_C$/
		depth -= token[i] == "]"
		if (token[i] == until && braces == outside)
			until = ""
	}
}

function mutate(    i, from, to, n, comparisons) {
	mark_fixed()
	if (name in checks) {
		argument = signature
		sub(/\)[^)]*$/, "", argument)
		sub(/.*[ *]/, "", argument)
		printf "    if (mutant_is(%d)) return judge_pass(%s, \"-\");", note(1, "always-pass", ""), argument
		printf "    if (mutant_is(%d)) return judge_na(%s, \"-\");", note(1, "always-na", ""), argument
		printf "\n#line %d\n", start + 1
	}
	for (i = 1; i <= count; i++) {
		if (fixed[i] || sort[i] == "blank")
			continue
		if ((token[i] in says) && token[i + 1] == "(") {
			# one that gives its verdict to nobody
			if (token[near(i, -1)] ~ /^([;{})]|else)$/)
				continue
			n = note(i, "verdict", text_of(i, closing(i + 1)))
			token[i] = "mutant_" token[i]
			after[i + 1] = n ", "
		} else if (token[i] in verdict) {
			from = reach(i, -1)
			n = note(i, "verdict", text_of(from, reach(i, 1)))
			token[i] = "MUTANT_" token[i] "(" n ")"
		} else if (token[i] in compares) {
			from = reach(i, -1)
			to = reach(i, 1)
			n = note(i, "comparison", text_of(from, to))
			before[from] = "MUTANT_NOT(" n ", " before[from]
			after[to] = after[to] ")"
		} else if (token[i] == "if") {
			from = near(i, 1)
			to = closing(from)
			comparisons = 0
			for (n = from; n < to; n++)
				comparisons += token[n] in compares
			if (comparisons)
				continue
			n = note(i, "condition", text_of(from, to))
			after[from] = "MUTANT_NOT(" n ", "
			before[to] = ")"
		} else if ((sort[i] == "number" || (sort[i] == "word" && (token[i] in numbers))) &&
			   !(token[near(i, -1)] == "{" && token[near(i, 1)] == "}") && !starts_loop(i) && !compares_text(i)) {
			n = note(i, "constant", token[i] " in " text_of(reach(i, -1), reach(i, 1)))
			token[i] = "MUTANT_MORE(" n ", " token[i] ")"
		}
	}
	for (i = 1; i <= count; i++)
		printf "%s%s%s", before[i], token[i], after[i]
}

# The 0 of "strcmp(a, b) == 0" is a word of the language: its comparison is a mutant already.
function compares_text(at,    i) {
	i = near(at, -1)
	return token[at] == "0" && (token[i] in compares) && text_of(reach(i, -1), i) ~ /^(str|mem)[a-z]*cmp\(/
}

# "for (size_t i = 0;"
function starts_loop(at,    i) {
	if (token[near(at, -1)] != "=" || token[near(at, 1)] != ";")
		return 0
	for (i = at; i > 0 && token[i] != ";" && token[i] != "{"; i--)
		if (token[i] == "for")
			return 1
	return 0
}
