# SPDX-License-Identifier: MIT
# Makes C tables, on standard output, of the records in the text files it is given: README.md beside it has their form.
# What explain alone asks for is text for answer.c, in the file -v texts=FILE, each with a tab behind it; what C includes are headers in -v headers=DIR.
# Lines that were seen are rows for the tests, in headers as well. Prose that C seldom asks for is in the file -v lines=FILE, a line each, for packed_line().
# What is wrong with a record is said with its file and line, and stops the build.

BEGIN {
	# What a record may say behind its first line, those that it can't be without first, up to the bar.
	keys["message"] = "| message failing name as of means end causes because checks at error status marks source seen finds"
	keys["table"] = "called | asked"
	keys["word"] = "means | also number end causes because checks"
	keys["term"] = "means | also short"
	keys["end"] = "text |"
	keys["cause"] = "text | measured"
	keys["status"] = "words | also syndrome means end causes general checks"
	keys["step"] = "words | call"
	keys["failure"] = "checks | error means end causes general"
	keys["topic"] = "text |"
	keys["check"] = "of fires-on needs healthy why fix | follows reads doubts marks unless judge counts if-any among warn-ppm fail-ppm"
	keys["log"] = "means weight |"
	keys["rule"] = "compare verdict why fix | values within because with least"
	keys["families"] = "family | roles"
	keys["rows"] = "row |"
	keys["attributes"] = "table row |"
	keys["list"] = "item |"
	keys["words"] = "row |"
	keys["driver"] = "source row |"
	keys["counters"] = "dir | of row rows-of prefix blocks ending"
	keys["command"] = "group summary | operands takes form marks needs lists unable option with says example"
	keys["options"] = "| option with"
	keys["facts"] = "fact |"
	keys["columns"] = "| column fact with"
	keys["instead"] = "says | roce instead"
	optional["failure"] = "checks" # that 'means' is there is asked for below
	many = " message failing because causes call source says example table item row ending instead option with form fact column family seen finds "
	values = "^(recording|choice|number|real|seconds|columns|check|family|fact|device|netdev)( |;|$)" # that options take
	placeholders = "[{](status|syndrome|errno|error|reject|event|eventname|cmevent|async|asyncnumber|address|negative)[}]"
	CAUSES = 4; CAUSE_LENGTH = 319 # LIKELY_CAUSES, CAUSE_TEXT_SIZE
	CONDITION = "^if [A-Z][A-Z0-9_, ]*:" # of a cause
	MEANING = 100 # as in tests/unit/counters.c
	if (!texts) texts = lines = "/dev/null"
}

function fail(place, text) {
	print place ": " text >"/dev/stderr"
	failed = 1
}

function trim(text) {
	sub(/^[ \t]+/, "", text)
	sub(/[ \t\r]+$/, "", text)
	return text
}

function has_word(list, word) {
	return index(" " list " ", " " word " ") > 0
}

# -- reading ----------------------------------------------------------------------------------------------------------------

FNR == 1 { inside = 0 }
/^#/ { next }
/^[ \t\r]*$/ { inside = 0; next }
/^[ \t]/ {
	if (!inside) fail(FILENAME ":" FNR, "a line that goes on, and none before it")
	else if (inside > 0) value[records, fields[records]] = value[records, fields[records]] " " trim($0)
	next
}
{
	word = trim(substr($0, length($1) + 1))
	here = FILENAME ":" FNR
	if (!inside) {
		inside = $1 in keys || $1 == "failing" ? 1 : -1
		if (inside < 0) fail(here, "no record begins with '" $1 "'")
		else { records++; kind[records] = $1 == "failing" ? "message" : $1; place[records] = here }
	}
	if (inside < 0) next
	first = fields[records] == 0
	if (!first && !has_word(keys[kind[records]], $1) || $1 == "|")
		fail(here, "unknown key '" $1 "': a " kind[records] " has" substr(keys[kind[records]], 1 + (keys[kind[records]] ~ /^\|/)))
	else if (has[records, $1] && !has_word(many, $1))
		fail(here, "'" $1 "' is there twice in one record")
	if (word == "") fail(here, "'" $1 "' says nothing")
	i = ++fields[records]
	key[records, i] = $1
	value[records, i] = word
	at[records, i] = here
	if (!has[records, $1]++) number_of[records, $1] = i
}

# -- what a record says -----------------------------------------------------------------------------------------------------

function own(r, name) {
	return (r, name) in number_of ? value[r, number_of[r, name]] : ""
}

function where(r, name) {
	return (r, name) in number_of ? at[r, number_of[r, name]] : place[r]
}

# What it says itself, or the record that it is as.
function get(r, name,   steps) {
	for (steps = 0; own(r, name) == "" && own(r, "as") != "" && steps < 9; steps++) r = defined["name", own(r, "as")]
	return own(r, name)
}

function unquoted(text) {
	return text ~ /^".*"$/ ? substr(text, 2, length(text) - 2) : text
}

function end_of(r,   end) {
	end = get(r, "end")
	return end ~ /^"/ ? unquoted(end) : end == "" ? "" : own(defined["end", end], "text")
}

# The names that a cause is bound to: errnos, statuses, events; "": none.
function condition_of(text) {
	return match(text, CONDITION) ? listed(substr(text, 4, index(text, ":") - 4)) : ""
}

# A message's cause with its condition as take_causes() reads it; any other's without.
function conditioned(r, text,   names) {
	names = condition_of(text)
	if (names != "") text = trim(substr(text, index(text, ":") + 1))
	return names != "" && kind[r] == "message" ? "?" names "?" text : text
}

# Its causes, a line each.
function causes_of(r,   i, n, ids, list, steps) {
	for (steps = 0; !has[r, "causes"] && !has[r, "because"] && own(r, "as") != "" && steps < 9; steps++) r = defined["name", own(r, "as")]
	for (i = 1; i <= fields[r]; i++)
		if (key[r, i] == "because") list = list "\n" conditioned(r, value[r, i])
		else if (key[r, i] == "causes")
			for (n = 1; n <= split(value[r, i], ids, /, */); n++) list = list "\n" conditioned(r, own(defined["cause", ids[n]], "text"))
	return substr(list, 2)
}

function listed(text) {
	gsub(/, +/, ",", text)
	return text
}

# -- is it right? -----------------------------------------------------------------------------------------------------------

function define(type, id, here, r) {
	if ((type, id) in defined) fail(here, type " '" id "' is there already: " defined_at[type, id])
	defined[type, id] = r
	defined_at[type, id] = here
}

function known(type, r, name, i,   ids, n) {
	for (n = split(value[r, i], ids, /, */); n > 0; n--)
		if (!((type, ids[n]) in defined)) fail(at[r, i], "no " type " '" ids[n] "'")
}

function check_pattern(here, pattern,   rest) {
	if (pattern ~ /^~/ && pattern ~ /[A-Z]|[{]event(name)?[}]/) fail(here, "behind '~' there are small letters only, and no {event} or {eventname}")
	rest = pattern
	if (pattern ~ /[(][^)]*[*{(][^)]*[|][^)]*[)]|[(][^()]*[|][^)]*[*{(]/) fail(here, "a choice (…|…) is of text alone")
	gsub(placeholders, "*", rest)
	if (rest ~ /[{}]/) fail(here, "a {…} that isn't one of those in README.md")
	if (substr(pattern, 2) ~ /\^/ || pattern ~ /\$./) fail(here, "'^' stands at the beginning, '$' at the end")
	if (pattern ~ /\*\*/) fail(here, "'**' is no more than '*'")
	while (match(rest, /[(][^()|]*[|][^()]*[)]/)) # its first choice
		rest = substr(rest, 1, RSTART - 1) substr(rest, RSTART + 1, index(substr(rest, RSTART), "|") - 2) substr(rest, RSTART + RLENGTH)
	gsub(/[*^$~]/, "", rest)
	if (length(rest) < 6) fail(here, "too little text: it would fit anything")
}

function check_message(r,   i, steps, base) {
	base = r
	for (steps = 0; own(base, "as") != ""; steps++) {
		if (!(("name", own(base, "as")) in defined)) { fail(where(base, "as"), "no record with the name '" own(base, "as") "'"); return }
		if (steps == 9) { fail(where(r, "as"), "records that are as each other in a circle"); return }
		base = defined["name", own(base, "as")]
	}
	if (get(r, "means") != "" || get(r, "status") != "" || get(r, "error") != "") return
	for (i = 1; i <= fields[r]; i++)
		if (key[r, i] == "message" && value[r, i] !~ /[{]/) fail(at[r, i], "no 'means', and nothing in the message that has a meaning")
}

function check_names(r, type,   i, ids) {
	define(type, tolower(value[r, 1]), place[r], r)
	for (i = split(own(r, "also"), ids, /, */); i > 0; i--) define(type, tolower(ids[i]), where(r, "also"), r)
}

# NAME | SEVERITY UNIT … ROLE | MEANING: into part, say and role.
function split_row(text, part, say,   i, n) {
	role = ""
	n = split(part[2] = text, part, / *[|] */)
	n = n == 3 ? split(part[2], say, " ") : 0
	for (i = 3; i <= n; i++) if (say[i] !~ /^([0-9]+-bit|or-32-bit|stops|x[0-9]+|gauge|setting)$/) role = role say[i]
	return n
}

function check_row(r, i,   part, say) {
	if (split_row(value[r, i], part, say) < 2) { fail(at[r, i], "a row is NAME | SEVERITY UNIT ROLE | MEANING, the role if it has one"); return }
	define("row of " value[r, 1], part[1], at[r, i], r)
	gsub(/[{][pn][}]/, "", part[1])
	if (part[1] ~ /[{}]/) fail(at[r, i], "a {…} that isn't {p} or {n}")
	if (say[1] !~ /^(info|warning|error)$/) fail(at[r, i], "no severity '" say[1] "'")
	if (kind[r] == "driver" && role && (role ~ /^(priority-|pfc-|pause-time$|pause-asked$)/) != (value[r, i] ~ /[{]p[}]/)) fail(at[r, i], "the role '" role "' is for a name with {p}, and no other")
	if (role == "pause-time" && say[2] != "microseconds") fail(at[r, i], "a pause-time is in microseconds: in another unit it is pause-asked")
	if (length(part[3]) > MEANING) fail(at[r, i], "a meaning is at most " MEANING " bytes")
}

# -L, --NAME ARGUMENT | KIND; … | HELP as the members of a row.
function option_row(here, text,   head, help, spec, n, i, part, word, rest, arg, line) {
	n = index(text, " | ")
	head = substr(text, 1, n - 1)
	help = substr(text, n + 3)
	n = index(help, " | ")
	if (n) {
		spec = substr(help, 1, n - 1)
		help = substr(help, n + 3)
	}
	if (head !~ /^(-[a-zA-Z0-9], )?--[a-z][a-z-]*(\[=[A-Z]+\]| [^ ]+)?$/) fail(here, "an option is -L, --NAME ARGUMENT | KIND; ... | HELP, the letter, the argument and the kind if it has one")
	line = head ~ /^-., / ? " .letter = '" substr(head, 2, 1) "'," : ""
	sub(/^-., /, "", head)
	match(head, /^--[a-z-]+/)
	arg = substr(head, RLENGTH + 1)
	line = member("name", substr(head, 3, RLENGTH - 2)) line (arg ~ /^\[=/ ? " .value_optional = true," : "")
	gsub(/^( |\[=)|\]$/, "", arg)
	line = line member("arg", arg) (arg && spec !~ values ? " .value = ARG_TEXT," : "")
	for (n = split(spec, part, /; */); n > 0; n--) {
		word = rest = part[n]
		sub(/ .*/, "", word)
		sub(/^[^ ]* ?/, "", rest)
		if (word ~ /^needs/) line = line " .needs = " joined("NEED_", rest) "," (word == "needs-only" ? " .needs_alone = true," : "")
		else if (word == "lists") line = line " .columns = " rest ","
		else if (word == "shows") line = line member("shows", rest)
		else if (word == "word") line = line member("choices", rest)
		else if (word == "unpaged") line = line " .unpaged = true,"
		else if (word != "flag") { # one that shows nothing of the kind: its help has a bar
			line = line constant("value", "ARG_", word)
			if (word == "choice") gsub(/, */, "|", rest)
			line = line (word == "choice" ? member("choices", rest) : "")
			if (word !~ values) fail(here, "'" part[n] "' isn't a kind of option")
			if (word ~ /^(number|real)$/ && split(rest, range, /[.][.]/) == 2) line = line " .least = " range[1] ", .most = " range[2] ","
			else if (word != "choice" && rest) fail(here, "'" part[n] "' isn't a kind of option")
		}
	}
	return line prose("help", help)
}

function first_word(text) {
	sub(/ .*/, "", text)
	return text
}

# Where a fact or a column has its value from, as members of a row: TYPE get NAME, TYPE make NAME or TYPE MEMBER->MEMBER of struct of.
function source_of(here, text, of,   w, i, type, digits) {
	split(text, w, " ")
	i = 1
	if (w[i] ~ /^(boolean|unsigned|signed|strings|string|numbers|json|real|rate|mbps|bytes|guid|hex|yes-no)$/ && (w[i + 1] || i == 1 && w[i] ~ /^(unsigned)$/)) type = w[i++]
	if (type == "hex") digits = w[i++]
	if (w[i + 2] || w[i] !~ /^[]a-zA-Z0-9_.>[-]*$/) fail(here, "'" text "' says nothing of where a value is from, or how it is shown")
	if (w[i] ~ /^(get|make)$/ && w[i + 1] || !w[i])
		return (w[i] ? " ." w[i] " = " w[i] "_" w[i + 1] "," : "") (type ? " .type = VALUE_" toupper(type) "," : "")
	gsub(/->/, ", ", w[i])
	return (type == "hex" ? " MEMBER_HEX(" digits ", " : type == "yes-no" ? " MEMBER_YES_NO(" : type ? " MEMBER_AS(VALUE_" toupper(type) ", " : " MEMBER(") of ", " w[i] "),"
}

function shown(here, text, of,   parts, n, word, line, flags) {
	for (n = split(text, parts, /; */); n > 0; n--) {
		word = first_word(parts[n])
		if (word ~ /^(hidden|right|cut|json-only|whole|if-known)$/ && parts[n] == word) flags = (flags ? flags " | " : "") "COLUMN_" toupper(underscored(word))
		else if (word == "rank") line = line " .rank = " substr(parts[n], 6) ","
		else if (word == "heading" || word == "key") line = line member(word, substr(parts[n], length(word) + 2))
		else if (word == "needs") line = line " .needs = " joined("NEED_", substr(parts[n], 7)) ","
		else if (parts[n]) line = line source_of(here, parts[n], of)
	}
	return line (flags ? " .flags = " flags "," : "")
}

# KIND NAME | how | HELP, as a row of attribute_rows.h.
function fact_row(here, text,   part, name, n, i, marks, flags, key, needs, rest, w) {
	if (split(text, part, / [|] /) != 3 || split(part[1], name, " ") != 2 || name[1] !~ /^(host|device|pci|port|netdev|gid)$/) fail(here, "a fact is KIND NAME | how | HELP")
	key = name[2]
	needs = 0
	for (n = split(part[2], marks, /; */); i++ < n;)
		if (marks[i] ~ /^(compared|own|passing|pattern|always)$/) flags = (flags ? flags " | " : "") toupper(marks[i])
		else if (marks[i] ~ /^needs /) needs = joined("NEED_", substr(marks[i], 7))
		else if (marks[i] ~ /^key /) key = substr(marks[i], 5)
		else rest = (rest ? rest "; " : "") marks[i]
	return toupper(name[1]) "(" toupper(name[2]) ", " quoted(key) ", " packed_line(part[3]) ", " (flags ? flags : 0) ", " needs "," shown(here, rest, "struct " name[1]) "),"
}

# KEY, HEADING | how | HELP, or FACT of MEMBER | how | HELP, as a row of an array; of: its struct.
function column_row(here, word, text, of,   part, n, names) {
	n = split(text, part, / [|] /)
	if (n > 3 || word == "column" && n < 2) fail(here, "a column is KEY, HEADING | how | HELP, or a fact: FACT of MEMBER | how | HELP")
	split(part[1], names, word == "fact" ? " of " : ", ")
	gsub(/->/, ", ", names[2])
	return "{" (word == "column" ? member("key", names[1]) member("heading", names[2]) : names[2] ? " ATTR(" toupper(names[1]) ", " of ", " names[2] ")," : \
		" .attribute = ATTR_" toupper(names[1]) ",") shown(here, part[2], of) prose("help", part[3]) " }, "
}

# NAME | OF; how | HELP, as a row of an array of families.
function family_row(here, text,   part, parts, n, i, word, line, what, file) {
	if (split(text, part, / [|] /) != 3) { fail(here, "a family is NAME | OF; how | HELP"); return "" }
	n = split(part[2], parts, /; */)
	for (i = 2; i <= n; i++) {
		word = first_word(parts[i])
		what = substr(parts[i], length(word) + 2)
		if (word == "needs") line = line " .needs = " joined("NEED_", what) ","
		else if (word == "with") line = line constant("with", "WITH_", what)
		else if (word ~ /^(number|counts)$/ && what) line = line " ." word " = " what ","
		else if (word == "counter" && split(what, file, "/") == 2) line = line member("dir", file[1]) member("file", file[2])
		else {
			if (what) fail(here, "'" parts[i] "' says nothing of where a value is from")
			gsub(/->/, ", ", word)
			line = line " MEMBER_AS(VALUE_UNSIGNED, struct target, " word "),"
		}
	}
	return "{" member("name", part[1]) constant("of", "OF_", parts[1]) line member("help", part[3]) " }, "
}

# CELL | CELL | … as a row of an array: of, behind the table's name, says what is in each: text, a number or other C, or what follows a prefix of C's. "-": no text. "bare" in
# front of all: without the braces of a struct.
function plain_row(here, of, text,   specs, cells, i, n, cell, list, bare) {
	n = split(substr(of, index(of, " | ") + 3), specs, /, */)
	bare = specs[1] == "bare"
	for (i = 1; bare && i <= n; i++) specs[i] = specs[i + 1]
	n -= bare
	if (split(text, cells, / [|] /) != n) fail(here, "a row of " of)
	for (i = 1; i <= n; i++) {
		cell = cells[i]
		if (specs[i] == "text") list = list (cell == "-" ? "NULL" : quoted(cell)) ", "
		else if (specs[i] ~ /^(number|c)$/) list = list cell ", "
		else if (specs[i] ~ /^\[/) list = substr(specs[i], 1, length(specs[i]) - 1) toupper(underscored(cell)) "] = " (bare ? "" : "{ ") list
		else list = list specs[i] toupper(underscored(cell)) ", "
	}
	if (bare) sub(/, $/, "", list)
	return (bare || specs[1] ~ /^\[/ ? "" : "{ ") list (bare ? "" : "}")
}

# NUMBER | HOW; MARK; … as a row of a table of netlink attributes, by the initialisers of attr_table.h; of: the struct that the table fills.
function attribute_row(here, text, of,   part, marks, w, n, i, what, list) {
	if (split(text, part, " [|] ") != 2) { fail(here, "an attribute is NUMBER | how; marks"); return "" }
	n = split(part[2], marks, "; ")
	what = marks[1]
	if (!sub(/^[^ ]+ /, "", what)) what = ""
	split(marks[1], w, " ")
	if (w[1] ~ /^(u8|u16|u32|u64|yes_no|name|word|text|module|mac|hex_id|address)$/ && w[2] && !w[3]) list = toupper(w[1]) "(" part[1] ", struct " of ", " w[2] ")"
	else if (w[1] ~ /^(number|secret)$/ && w[3]) list = toupper(w[1]) "(" part[1] ", " w[2] ", struct " of ", " w[3] ")"
	else if (w[1] ~ /^(code|each_number)$/ && w[4])
		list = toupper(w[1]) "(" part[1] ", " w[2] ", " (w[1] == "code" ? w[3] ", struct " of : "struct " of ", " w[3]) ", " w[4] ")"
	else if (w[1] == "nest_new" && w[3]) list = "NEST_NEW(" part[1] ", " w[2] ", struct " of ", " w[3] ")"
	else if (w[1] ~ /^(by_word|element)$/ && w[3]) list = toupper(w[1]) "(" part[1] ", " w[2] ", " w[3] ")"
	else if (w[1] ~ /^(struct|type)$/ && w[3]) list = "STRUCT(" part[1] ", " (w[1] == "struct" ? "struct " : "") w[2] ", " w[3] ")"
	else if (w[1] == "own" && w[3]) list = "OWN(" part[1] ", KEEP_" toupper(w[2]) ", " w[3] ")"
	else if (w[1] == "kept" && w[2]) list = "KEPT_" toupper(w[2]) "(" part[1] ")"
	else if (w[1] == "and" && w[2]) list = "AND(" w[2] ")"
	else if (w[1] ~ /^(there|nest)$/ && what) list = toupper(w[1]) "(" part[1] ", " what ")"
	else fail(here, "'" marks[1] "' doesn't say what an attribute is")
	for (i = 2; i <= n; i++) {
		split(marks[i], w, " ")
		if (marks[i] ~ /^(must|or_number)$/) list = list ", ." w[1] " = true"
		else if (w[1] == "flag" && w[2]) list = list ", FLAG(struct " of ", " w[2] ")"
		else if (w[1] == "at" && w[2]) list = list ", .at = offsetof(struct " of ", " w[2] ")"
		else if (w[1] == "new" && w[2]) list = list ", NEW(struct " of ", " w[2] ")"
		else if (w[1] == "each" && w[3]) list = list ", EACH(struct " of ", " w[2] ", " w[3] ")"
		else if (w[1] == "into" && w[2]) list = list ", .into = INTO_OWN, .take = " w[2]
		else if (w[1] ~ /^(put|most)$/ && w[2]) list = list ", ." w[1] " = " substr(marks[i], length(w[1]) + 2)
		else fail(here, "'" marks[i] "' is no mark of an attribute")
	}
	return "{ " list " }, "
}

# All tables of a group, the last without its semicolon.
function attribute_tables(r,   i, w, list) {
	for (i = 2; i <= fields[r]; i++)
		if (key[r, i] == "table") {
			split(value[r, i], w, " ")
			list = list (list ? "{ 0 } }; " : "") "static const struct attr_row " w[1] "[] = { "
		} else list = list attribute_row(at[r, i], value[r, i], w[3])
	return list "{ 0 } }"
}

function check_fields(r,   i, name) {
	for (i = 1; i <= fields[r]; i++) {
		name = key[r, i]
		if (name == "causes" || name == "general") known("cause", r, name, i)
		else if (name == "end" && i > 1 && value[r, i] !~ /^".*"$/) known("end", r, name, i)
		else if (name == "at" || kind[r] == "failure" && i == 1) known("step", r, name, i)
		else if (name == "status" && i > 1) known("status", r, name, i)
		else if (name == "error" && value[r, i] !~ /^E[A-Z0-9]+$/) fail(at[r, i], "'" value[r, i] "' is no errno's name")
		else if (name == "checks" && value[r, i] !~ /^[a-z0-9-]+(, [a-z0-9-]+)*$/) fail(at[r, i], "checks are ids with a comma and a blank between")
		else if (name == "source" && value[r, i] !~ (kind[r] == "driver" ? "^(https://|linux:)" : "^https://")) fail(at[r, i], "a source is an address, https://…")
		else if (name == "row" && kind[r] == "rows") plain_row(at[r, i], value[r, 1], value[r, i])
		else if (name == "row" && kind[r] == "attributes") attribute_row(at[r, i], value[r, i], "")
		else if (name == "row" && kind[r] == "words") {
			if (value[r, i] !~ /^[a-z][a-z0-9_-]*( [|] [^|]+)?$/) fail(at[r, i], "a row of words is NAME | WORD")
		} else if (name ~ /^(row|ending)$/) check_row(r, i)
		else if (name == "rows-of") known("counters", r, name, i)
		else if (name == "option") option_row(at[r, i], value[r, i])
		else if (name == "with" && kind[r] != "rule") known(kind[r] == "columns" ? "columns" : "options", r, name, i)
		else if (name == "family") family_row(at[r, i], value[r, i])
		else if (name ~ /^(column|fact)$/ && i > 1) kind[r] == "facts" ? fact_row(at[r, i], value[r, i]) : column_row(at[r, i], name, value[r, i], "")
		else if (name == "weight" && value[r, i] !~ /^(lasting|error|warning|link|notice)$/) fail(at[r, i], "no weight '" value[r, i] "'")
		else if (name == "marks" && kind[r] == "message" && value[r, i] != "vague") fail(at[r, i], "a message is marked 'vague', or not at all")
		else if (name == "message") check_pattern(at[r, i], unquoted(value[r, i]))
		else if (name == "means" && kind[r] ~ /message|word|term/ && value[r, i] !~ /[.?]$/) fail(at[r, i], "a meaning is a sentence, with its full stop")
		else if (name == "seen" && value[r, i] !~ /[^ ] [|] [^ ]/) fail(at[r, i], "a line that was seen is THREAD | LINE")
		else if (name == "because" && kind[r] == "word" && condition_of(value[r, i]) != "") fail(at[r, i], "only a message's causes have a condition")
		else if (name == "because" && value[r, i] ~ /^if [A-Z]/ && condition_of(value[r, i]) == "") fail(at[r, i], "a condition is 'if EINVAL, ENOMEM: …'")
		else if (name == "finds" && key[r, i - 1] != "seen") fail(at[r, i], "'finds' says what roce finds in the line above, which is a 'seen'")
		else if (name == "verdict" && value[r, i] !~ /^(info|warn|fail)$/) fail(at[r, i], "no verdict '" value[r, i] "'")
		else if (name == "compare" && value[r, i] !~ /^((none|equal|unique|pair|common|number)|(equal|number) each)$/) fail(at[r, i], "hosts aren't compared by '" value[r, i] "'")
		else if (name ~ /^(within|because|with)$/ && kind[r] == "rule") known("fact", r, name, i)
		if (name == "checks" || name == "follows") known("check", r, name, i)
		if (name == "because" && length(value[r, i]) > CAUSE_LENGTH || name == "text" && kind[r] == "cause" && length(value[r, i]) > CAUSE_LENGTH)
			fail(at[r, i], "a cause is at most " CAUSE_LENGTH " bytes")
	}
}

function check(r,   i, n, needed) {
	n = split(keys[kind[r]], needed, " ")
	for (i = 1; i <= n && needed[i] != "|"; i++)
		if (!has[r, needed[i]] && !has_word(optional[kind[r]], needed[i])) fail(place[r], "a " kind[r] " needs '" needed[i] "'")
	check_fields(r)
	if (kind[r] == "message") check_message(r)
	if (failed || kind[r] ~ /status|failure/) return
	n = 0
	for (i = split(causes_of(r), needed, "\n"); i > 0; i--) n += needed[i] !~ /^[?]/
	if (n > CAUSES) fail(place[r], "more than " CAUSES " causes")
}

# "fi_read|fi_write" as "fi_(read|write)": what any such line has is looked for first.
function with_prefix(names,   part, n, i, len) {
	n = split(names, part, "|")
	len = length(part[1])
	for (i = 2; i <= n; i++) while (substr(part[i], 1, len) != substr(part[1], 1, len)) len--
	names = substr(part[1], len + 1)
	for (i = 2; i <= n; i++) names = names "|" substr(part[i], len + 1)
	return substr(part[1], 1, len) "(" names ")"
}

# What programs say when one of some functions failed, as messages: an errno behind its name, then words of failure on either side.
function spell_failing(r,   i, j, n, last, names, form) {
	last = fields[r]
	for (i = 1; i <= last; i++) {
		if (key[r, i] != "failing") continue
		names = value[r, i]
		if (names !~ /[*(]/) {
			names = tolower(listed(names))
			if (gsub(/,/, "|", names)) names = with_prefix(names)
		}
		n = split("@*{error} @*(errno|os_error|error_code|error_number)*{errno} @*(=|=_|:|:_|fail_|failed_|failed,_|error_|err_|code_|status_|ret_|rc_|return_|returns_|returned_|with_){negative} " \
			"@*(fail|err|ret|rc|cannot|could_not|unable)*({negative} " \
			"@*(fail|error|err:|err=|refused|could_not|couldn't|unable|timed_out|not_supported|rc=-|rc:_|ret=-|ret:_|return_-|returns_-|returned_-|returned_null) " \
			"(fail|error|could_not|couldn't|cannot|can't|unable)*@", form, " ")
		for (j = 1; j <= n; j++) {
			gsub(/_/, " ", form[j])
			sub(/@/, names, form[j])
			key[r, ++fields[r]] = "message"
			value[r, fields[r]] = "~" form[j]
			at[r, fields[r]] = at[r, i]
			spelled[r, fields[r]] = 1
			if (!has[r, "message"]++) number_of[r, "message"] = fields[r]
		}
	}
}

# Whatever others name, and names that must be one thing's alone.
function define_all(r,   i) {
	if (kind[r] == "rule") defined["fact", substr(value[r, 1], index(value[r, 1], " ") + 1)] = r
	if (kind[r] ~ /^(end|cause|status|step|table|check|log|rule|families|command|options|driver|counters|attributes|list)$/) define(kind[r], value[r, 1], place[r], r)
	else if (kind[r] ~ /^(columns|rows|words)$/) define(kind[r], first_word(value[r, 1]), place[r], r)
	else if (kind[r] == "term") check_names(r, "term")
	else if (kind[r] == "word" && !table) fail(place[r], "a word before any table")
	else if (kind[r] == "word") check_names(r, "word of '" value[table, 1] "'")
	else if (kind[r] == "instead") {
		for (i = 1; i <= fields[r]; i++) if (key[r, i] == "instead") define("instead", value[r, i], at[r, i], r)
	} else if (kind[r] == "message") {
		if (has[r, "name"]) define("name", own(r, "name"), where(r, "name"), r)
		for (i = 1; i <= fields[r]; i++)
			if (spelled[r, i] && ("message", value[r, i]) in defined) key[r, i] = "" # one of before says more
			else if (key[r, i] == "message") define("message", value[r, i], at[r, i], r)
	}
	if (kind[r] == "table") table = r
	if (kind[r] == "topic") define("topic", value[r, 1], place[r], topic = r)
	if (kind[r] == "check") topic_of[r] = value[topic, 1]
	if (kind[r] == "check" && !topic) fail(place[r], "a check before any topic")
}

# -- C ----------------------------------------------------------------------------------------------------------------------

# Byte by byte, as awks differ in what a backslash means to gsub().
function quoted(text,   i, c, out) {
	if (text !~ /[\\"\n]/) return "\"" text "\""
	for (i = 1; i <= length(text); i++) {
		c = substr(text, i, 1)
		out = out (c == "\n" ? "\\n" : c ~ /[\\"]/ ? "\\" c : c)
	}
	return "\"" out "\""
}

# A member of a row, when it is said.
function member(name, text) {
	return text == "" ? "" : " ." name " = " quoted(text) ","
}

function constant(name, prefix, text) {
	if (text == "") return ""
	gsub(/-/, "_", text)
	return " ." name " = " prefix toupper(text) ","
}

function constants(name, prefix, text) {
	if (text == "") return ""
	gsub(/, */, ", " prefix, text)
	gsub(/-/, "_", text)
	return " ." name " = { " prefix toupper(text) " },"
}

# What the compiler finds wrong, as an errno that there isn't, it says of the record's line.
function row(here, text,   part) {
	split(here, part, ":")
	print "#line " part[2] " \"" part[1] "\"\n    {" text " },"
}

function row_at(here, id, prefix, text,   part) {
	split(here, part, ":")
	gsub(/-/, "_", id)
	print "#line " part[2] " \"" part[1] "\"\n    [" prefix toupper(id) "] = {" text " },"
}

# Prose that C seldom asks for is packed as well: a line each, for packed_line(), numbered from 1.
function packed_line(text) {
	if (!(text in line_number)) {
		line_number[text] = ++lines_count
		lines_size += length(shortened(text)) + 1
		print shortened(text) >lines
	}
	return line_number[text]
}

# Their lines come before all others, so that they can be unpacked without those.
function number_what_findings_need(   r) {
	for (r = 1; r <= records; r++) {
		if (kind[r] != "check") continue
		prose("healthy", own(r, "healthy"))
		prose("why", own(r, "why"))
	}
	needed_lines = lines_count
	needed_size = lines_size
}

function prose(name, text) {
	return text == "" ? "" : " ." name " = " packed_line(text) ","
}

# Texts of a record, for answer.c: a column for each of the six, as like packs well with like, with a tab behind each text and a form feed behind the
# column. "=" is the text above.
function pack(a, b, c, d, e, f) {
	add_to(1, a); add_to(2, b); add_to(3, c); add_to(4, d); add_to(5, e); add_to(6, f)
}

function add_to(k, text) {
	column[k] = column[k] (text && text == above[k] ? "=" : text) "\t"
	above[k] = text
}

function write_texts(   k) {
	for (k = 1; k <= 6; k++) printf "%s\f", shortened(column[k]) >texts
}

# With a byte for each of packed_phrases, which gzip.c spells out.
function shortened(text,   i) {
	if (!phrases) find_phrases()
	for (i = 1; i <= phrases; i++) {
		if (i == ascii_phrases && text ~ /[\300-\377]/) fail(phrases_at, "packed_phrases lacks what isn't ASCII in '" substr(text, match(text, /[\300-\377]/), 20) "'")
		gsub(phrase[i], sprintf("%c", i <= 128 ? 127 + i : i <= 136 ? i - 128 : i - 123), text)
	}
	return text
}

function find_phrases(   r, i) {
	for (r = 1; r <= records; r++) {
		if (kind[r] != "list" || value[r, 1] != "packed_phrases") continue
		phrases_at = at[r, 1]
		for (i = 2; i <= fields[r]; i++) {
			phrase[++phrases] = substr(value[r, i], 2, length(value[r, i]) - 2)
			if (!ascii_phrases && phrase[phrases] !~ /[\200-\377]/) ascii_phrases = phrases
		}
	}
	if (phrases && phrases != 154) fail(phrases_at, "packed_phrases are 154, as many as there are bytes for them, not " phrases)
}

function what_is_said(r) {
	return member("end", end_of(r)) member("checks", listed(get(r, "checks")))
}

# Lines that a record has to answer, for tests/unit/messages.c: as rows of struct seen, with the record's first message and the one behind its last.
function write_seen(r, first, past,   i, n, bar, names, status, err, word) {
	for (i = 1; i <= fields[r]; i++) {
		if (key[r, i] != "seen") continue
		status = "NO_STATUS"; err = 0; word = "NULL"
		n = key[r, i + 1] == "finds" ? split(value[r, i + 1], names, /, */) : 0
		for (; n > 0; n--)
			if (names[n] ~ /^IBV_WC_/) status = names[n]
			else if (names[n] ~ /^E[A-Z0-9]+$/) err = names[n]
			else word = quoted(names[n])
		bar = index(value[r, i], " | ")
		print "{ " quoted(substr(value[r, i], 1, bar - 1)) ", " quoted(unquoted(substr(value[r, i], bar + 3))) ", " first ", " past ", " status ", " err ", " word " }," >(headers "/seen_rows.h.new")
	}
}

# A name in a condition that C hasn't got, the compiler finds at the record's line.
function write_conditions(   r, i, names, part) {
	for (r = 1; r <= records; r++)
		for (i = 1; i <= fields[r]; i++) {
			names = key[r, i] == "because" || kind[r] == "cause" && key[r, i] == "text" ? condition_of(value[r, i]) : ""
			if (names == "") continue
			gsub(/,/, " >= 0 \\&\\& ", names)
			split(at[r, i], part, ":")
			print "#line " part[2] " \"" part[1] "\"\n_Static_assert(" names " >= 0, \"\");"
		}
}

function write_messages(   r, i, of, numbers, n, first) {
	print "const struct message_numbers message_numbers[] = {"
	for (r = 1; r <= records; r++) {
		if (kind[r] != "message") continue
		of = get(r, "of")
		first = n + 0
		numbers = (own(r, "marks") ? " .vague = true," : "") constant("step", "STEP_", get(r, "at")) constant("err", "", get(r, "error")) constant("status", "", get(r, "status"))
		for (i = 1; i <= fields[r]; i++) {
			if (key[r, i] != "message") continue
			row(at[r, i], numbers)
			n++
			pack(unquoted(value[r, i]), of == "any" ? "" : of, get(r, "means"), end_of(r), causes_of(r), listed(get(r, "checks")))
		}
		if (headers) write_seen(r, first, n)
	}
	print "    { 0 }\n};\nconst size_t message_count = ARRAY_SIZE(message_numbers);\n"
	pack()
}

# The words of all tables, behind those of each an empty row.
function write_words(   r, n, first) {
	print "const short word_numbers[] = {"
	for (r = 1; r <= records; r++) {
		if (kind[r] == "table" && n) { n++; pack(); print "    0," }
		if (kind[r] == "table") first[value[r, 1]] = n + 0
		if (kind[r] != "word") continue
		n++
		print "    " (has[r, "number"] ? own(r, "number") : -1) ","
		pack(own(r, "word"), listed(own(r, "also")), own(r, "means"), end_of(r), causes_of(r), listed(get(r, "checks")))
	}
	pack()
	print "    0\n};\nconst size_t word_count = ARRAY_SIZE(word_numbers);\n"
	for (r = 1; r <= records; r++)
		if (kind[r] == "table")
			print "const struct word_table words_" own(r, "called") " = {" member("kind", own(r, "table")) member("numbers", listed(own(r, "asked"))) \
				" .first = " first[value[r, 1]] " };"
	print "const struct word_table *const word_tables[] = {"
	for (r = 1; r <= records; r++) if (kind[r] == "table") print "    &words_" own(r, "called") ","
	print "    NULL\n};\n"
}

function write_terms(   r, n) {
	for (r = 1; r <= records; r++)
		if (kind[r] == "term" && ++n) pack(own(r, "term"), listed(own(r, "also")), own(r, "short"), own(r, "means"))
	pack()
	print "const size_t term_count = " n + 1 ";\n"
}

# What roce's own tests know of: those that a status or a failure names.
function write_causes(   r, i, n, ids, used) {
	for (r = 1; r <= records; r++)
		for (i = 1; (kind[r] == "status" || kind[r] == "failure") && i <= fields[r]; i++)
			if (key[r, i] == "causes" || key[r, i] == "general")
				for (n = split(value[r, i], ids, /, */); n > 0; n--) used[ids[n]] = 1
	print "const struct cause_words cause_words[CAUSES] = {"
	for (r = 1; r <= records; r++)
		if (kind[r] == "cause" && value[r, 1] in used)
			row_at(place[r], value[r, 1], "CAUSE_", member("text", conditioned(r, own(r, "text"))) member("measured", own(r, "measured")))
	print "};\n"
}

# What C includes: rows of facts, and a macro for each listing and other table.
function write_headers(   r, i) {
	for (r = 1; r <= records; r++)
		if (kind[r] == "facts") {
			for (i = 2; i <= fields[r]; i++) print fact_row(at[r, i], value[r, i]) >(headers "/attribute_rows.h.new")
		} else if (kind[r] == "columns" && value[r, 1] ~ / of /)
			print "#define " toupper(first_word(value[r, 1])) " " columns_of(r, substr(value[r, 1], index(value[r, 1], " of ") + 4)) "{ 0 }" >(headers "/tables.h.new")
		else if (kind[r] == "attributes") print "#define NETLINK_" toupper(value[r, 1]) " " attribute_tables(r) >(headers "/netlink_tables.h.new")
		else if (kind[r] == "list") print "#define " toupper(value[r, 1]) "(X) " items_of(r) >(headers "/lists.h.new")
		else if (kind[r] == "words") write_enum(r, headers "/lists.h.new")
		else if (kind[r] == "rows") print "#define " toupper(first_word(value[r, 1])) " " plain_rows(r) >(headers "/tables.h.new")
		else if (kind[r] == "families") print "#define " toupper(value[r, 1]) " " families_of(r) "{ 0 }" >(headers "/tables.h.new")
}

function items_of(r,   i, list) {
	for (i = 2; i <= fields[r]; i++) list = list "X(" value[r, i] ") "
	return list
}

# An enum and the words for its members, of rows NAME | WORD behind ENUM | PREFIX_, LAST.
function write_enum(r, file,   head, of, i, part, members, words) {
	split(value[r, 1], head, / [|] /)
	split(head[2], of, /, */)
	for (i = 2; i <= fields[r]; i++) {
		if (split(value[r, i], part, / [|] /) == 1) part[2] = part[1]
		part[1] = of[1] toupper(underscored(part[1]))
		members = members part[1] ", "
		words = words "[" part[1] "] = " (part[2] == "-" ? "NULL" : quoted(part[2])) ", "
	}
	print "#define ENUM_" toupper(head[1]) " enum " head[1] " { " members of[2] " }\n#define WORDS_" toupper(head[1]) " " words >file
}

function plain_rows(r,   i, list) {
	for (i = 2; i <= fields[r]; i++) list = list (i > 2 ? ", " : "") plain_row(at[r, i], value[r, 1], value[r, i])
	return list
}

function families_of(r,   i, list) {
	for (i = 2; i <= fields[r]; i++) list = list (key[r, i] == "roles" ? "COUNTER_ROLE_LIST(ROLE_FAMILY) " : family_row(at[r, i], value[r, i]))
	return list
}

function columns_of(r, of,   i, list) {
	for (i = 2; i <= fields[r]; i++)
		list = list (key[r, i] == "with" ? columns_of(defined["columns", value[r, i]], of) : column_row(at[r, i], key[r, i], value[r, i], of))
	return list
}

function write_failures(   r, i) {
	print "const struct step_words step_words[STEPS] = {"
	for (r = 1; r <= records; r++) if (kind[r] == "step") row_at(place[r], value[r, 1], "STEP_", member("text", own(r, "words")))
	print "};\n\nconst struct step_call step_calls[] = {"
	for (r = 1; r <= records; r++)
		for (i = 1; i <= fields[r]; i++) if (key[r, i] == "call") row(at[r, i], member("call", value[r, i]) constant("step", "STEP_", value[r, 1]))
	print "    { 0 }\n};\n\nconst struct status_words status_words[] = {"
	for (r = 1; r <= records; r++)
		if (kind[r] == "status") row_at(place[r], value[r, 1], "", member("name", value[r, 1]) member("text", own(r, "words")) member("also", listed(own(r, "also"))) \
			(has[r, "syndrome"] ? " .syndrome = " own(r, "syndrome") "," : ""))
	print "};\nconst int status_count = (int)(sizeof(status_words) / sizeof(*status_words));\n\nconst struct meaning meanings[] = {"
	for (r = 1; r <= records; r++)
		if (kind[r] == "failure" || kind[r] == "status" && has[r, "means"])
			row(place[r], (kind[r] == "status" ? constant("status", "", value[r, 1]) : constant("step", "STEP_", value[r, 1])) \
				constant("err", "", own(r, "error")) member("text", own(r, "means")) what_is_said(r) \
				constants("causes", "CAUSE_", own(r, "causes")) constants("general", "CAUSE_", own(r, "general")))
	print "    { 0 }\n};\n"
}

function underscored(text) {
	gsub(/-/, "_", text)
	return text
}

# "state, gids" as PREFIX_STATE | PREFIX_GIDS; what is in capitals is C's.
function joined(prefix, text, suffix,   i, n, words, list) {
	n = split(text, words, /, */)
	for (i = 1; i <= n; i++) list = list (i > 1 ? " | " : "") (words[i] ~ /^[A-Z_]+$/ ? words[i] : prefix toupper(underscored(words[i])) suffix)
	return list
}

function amount(name, text) {
	return text == "" ? "" : " ." name " = " text ","
}

# A function of src/check.
function declare(name) {
	if (!declared[name]++) print "judge_fn " underscored(name) ";"
}

function row_of_check(r,   i, n, marks, line) {
	line = member("id", value[r, 1]) member("topic", topic_of[r]) member("of", own(r, "of")) constant("scope", "SCOPE_", own(r, "of")) member("fires_on", own(r, "fires-on")) \
		member("because", listed(own(r, "follows"))) " .needs = " joined("NEED_", own(r, "needs")) "," member("reads", listed(own(r, "reads"))) member("doubts", listed(own(r, "doubts")))
	for (n = split(own(r, "marks"), marks, /, */); n > 0; n--) line = line " ." underscored(marks[n]) " = true,"
	if (has[r, "unless"]) line = line " .preconditions = { " underscored(own(r, "unless")) " },"
	if (has[r, "counts"]) line = line " .counting = { " ".roles = " joined("ROLES_OF(ROLE_", own(r, "counts"), ")") "," constant("if_any", "VERDICT_", own(r, "if-any")) \
		constant("packets", "ROLE_", own(r, "among")) amount("warn_ppm", own(r, "warn-ppm")) amount("fail_ppm", own(r, "fail-ppm")) " },"
	return line " .judge = judge_" underscored(has[r, "judge"] ? own(r, "judge") : value[r, 1]) "," prose("healthy", own(r, "healthy")) \
		prose("why", own(r, "why")) member("fix", own(r, "fix"))
}

function write_checks(   r, n, words) {
	print "const struct topic check_topics[] = {"
	for (r = 1; r <= records; r++) if (kind[r] == "topic") row(place[r], member("name", value[r, 1]) member("text", own(r, "text")))
	print "    { 0 }\n};\n"
	for (r = 1; r <= records; r++)
		if (kind[r] == "check") {
			declare("judge_" (has[r, "judge"] ? own(r, "judge") : value[r, 1]))
			for (n = split(own(r, "unless"), words, /, */); n > 0; n--) declare(words[n])
		}
	print "\nconst struct check check_all[] = {"
	for (r = 1; r <= records; r++) if (kind[r] == "check") row(place[r], row_of_check(r))
	print "    { 0 }\n};\n"
}

function write_log(   r, n, words) {
	print "const struct log_pattern log_patterns[] = {"
	for (r = 1; r <= records; r++) {
		if (kind[r] != "log") continue
		n = split(value[r, 1], words, / *[|] */)
		row(place[r], " .words = { " quoted(words[1]) (n > 1 ? ", " quoted(words[2]) : "") " }," member("meaning", own(r, "means")) constant("weight", "LOG_", own(r, "weight")))
	}
	print "    { .meaning = NULL }\n};\n"
}

function write_insteads(   r, i, roce) {
	print "const struct instead insteads[] = {"
	for (r = 1; r <= records; r++)
		for (i = 1; kind[r] == "instead" && i <= fields[r]; i++)
			if (key[r, i] == "instead") row(at[r, i], member("words", value[r, i]) member("roce", own(r, "roce")) prose("says", own(r, "says")))
	print "    { 0 }\n};\n"
}

function write_rules(   r, of, way) {
	print "const struct fleet_rule fleet_rules[] = {"
	for (r = 1; r <= records; r++) {
		if (kind[r] != "rule") continue
		split(value[r, 1], of, " ")
		split(own(r, "compare"), way, " ")
		row(place[r], constant("of", "FACT_", of[1]) member("key", of[2]) constant("kind", "RULE_", way[1] == "common" ? "pair" : way[1]) \
			(way[1] == "common" ? " .common = true," : "") (way[2] ? " .each = true," : "") constant("verdict", "VERDICT_", own(r, "verdict")) \
			(has[r, "values"] ? " .own_values = true," : "") (has[r, "least"] ? " .least = " own(r, "least") "," : "") member("within", listed(own(r, "within"))) \
			member("because", listed(own(r, "because"))) member("with", own(r, "with")) prose("why", own(r, "why")) prose("fix", own(r, "fix")))
	}
	print "    { .key = NULL }\n};\n"
}

# The rows of a record; behind a prefix they play no role.
function write_rows(table, r, word, prefix,   i, n, part, say, more) {
	print "static const struct counter_def " table "[] = {"
	for (i = 2; i <= fields[r]; i++) {
		if (key[r, i] != word) continue
		more = " .scale = 1,"
		width = 64
		for (n = split_row(value[r, i], part, say); n > 2; n--)
			if (say[n] ~ /^x[0-9]/) more = " .scale = " substr(say[n], 2) ","
			else if (say[n] ~ /^[0-9]+-bit$/) width = say[n] + 0
		more = more (part[2] ~ / stops( |$)/ ? " .saturates = true," : "") (part[2] ~ / or-32-bit( |$)/ ? " .narrow = 32," : "")
		row(at[r, i], member("name", prefix part[1]) prose("meaning", part[3]) constant("unit", "COUNTER_", say[2]) constant("severity", "COUNTER_", say[1]) \
			(prefix ? "" : constant("role", "ROLE_", role)) (match(part[2], / (gauge|setting)( |$)/) ? constant("kind", "COUNTER_", trim(substr(part[2], RSTART, RLENGTH))) : " .width = " width ",") more)
	}
	print (word == "ending" ? "    { 0 }\n" : "") "};\n"
}

function table_of(r, defs,   name) {
	name = kind[r] == "driver" ? (value[r, 1] == "kernel" ? "" : value[r, 1]) : own(r, "of")
	return member("family", name) member("dir", kind[r] == "counters" ? own(r, "dir") : name ? "ethtool -S" : "/sys/class/net/NAME") \
		" .defs = " defs ", .count = ARRAY_SIZE(" defs "),"
}

# Tables of counters, and those of netdevs' statistics.
function write_counters(type, tables,   r, of, defs, list, blocks) {
	for (r = 1; r <= records; r++) {
		if (kind[r] != type) continue
		of = has[r, "rows-of"] ? defined["counters", own(r, "rows-of")] : r
		defs = type "_of_" value[r, 1]
		write_rows(defs, of, "row", own(r, "prefix"))
		list = list "    {" table_of(r, defs)
		if (has[r, "blocks"]) {
			write_rows("endings_of_" value[r, 1], r, "ending")
			blocks = own(r, "blocks")
			gsub(/, */, "\", \"", blocks)
			print "static const char *const blocks_of_" value[r, 1] "[] = { \"" blocks "\", NULL };\n"
			list = list " .endings = endings_of_" value[r, 1] ", .blocks = blocks_of_" value[r, 1] ","
		}
		list = list " },\n"
	}
	print "const struct counter_table " tables "[] = {\n" list "    { 0 }\n};\n"
}

# The options of a record and of those that it is with.
function write_options(r,   i) {
	for (i = 2; i <= fields[r]; i++)
		if (key[r, i] == "option") row(at[r, i], option_row(at[r, i], value[r, i]))
		else if (key[r, i] == "with") write_options(defined["options", value[r, i]])
}

function write_command(r,   i, n, id, marks, line, forms) {
	id = underscored(value[r, 1])
	line = member("name", value[r, 1]) constant("group", "GROUP_", own(r, "group")) member("operands_text", own(r, "operands")) \
		(has[r, "takes"] ? " .operands = OPERANDS_" (own(r, "takes") == "nothing" ? "NONE" : toupper(own(r, "takes"))) "," : "") member("summary", own(r, "summary"))
	print "int run_" id "(struct context *context);"
	if (has[r, "option"] || has[r, "with"]) {
		print "static const struct option_def options_of_" id "[] = {"
		write_options(r)
		print "    { 0 }\n};"
		line = line " .options = options_of_" id ","
	}
	for (i = 2; i <= fields[r]; i++) if (key[r, i] == "form") forms = forms quoted(value[r, i]) ", "
	if (forms) print "static const char *const forms_of_" id "[] = { " forms "NULL };"
	if (forms) line = line " .words = forms_of_" id ","
	for (n = split(own(r, "marks"), marks, /, */); n > 0; n--) line = line " ." underscored(marks[n]) " = true,"
	if (has[r, "needs"]) line = line " .needs = " joined("NEED_", own(r, "needs")) ","
	if (split(own(r, "lists"), marks, /: */) == 2) line = line member("plural", marks[1]) " .columns = " marks[2] ","
	if (has[r, "unable"]) {
		print "int " own(r, "unable") "(const struct args *args);"
		line = line " .error_status = " own(r, "unable") ","
	}
	split(place[r], marks, ":")
	print "#line " marks[2] " \"" marks[1] "\"\nstatic const struct command command_" id " = {" line " .run = run_" id ", };\n"
}

function declare_columns(text) {
	while (match(text, /[a-z_]+_columns/)) {
		print "extern const struct column " substr(text, RSTART, RLENGTH) "[];"
		text = substr(text, RSTART + RLENGTH)
	}
}

# An example is a command line and, as a comment of a shell's, what it is for.
function write_commands(   r, i, end) {
	for (r = 1; r <= records; r++)
		for (i = 1; kind[r] ~ /^(command|options)$/ && i <= fields[r]; i++)
			if (key[r, i] == "lists" || key[r, i] == "option" && value[r, i] ~ /lists /) declare_columns(value[r, i])
	for (r = 1; r <= records; r++)
		if (kind[r] == "options") {
			print "const struct option_def " value[r, 1] "_options[] = {"
			write_options(r)
			print "    { 0 }\n};\n"
		} else if (kind[r] == "command") write_command(r)
	print "const struct command *const commands[] = {"
	for (r = 1; r <= records; r++) if (kind[r] == "command") print "    &command_" underscored(value[r, 1]) ","
	print "    NULL\n};\n\nconst struct command_text command_texts[] = {"
	for (r = 1; r <= records; r++)
		for (i = 2; kind[r] == "command" && i <= fields[r]; i++) {
			if (key[r, i] !~ /^(says|example)$/) continue
			end = key[r, i] == "example" ? index(value[r, i], "  # ") : 0
			if (end) row(at[r, i], member("command", value[r, 1]) member("example", substr(value[r, i], 1, end - 1)) prose("says", substr(value[r, i], end + 4)))
			else row(at[r, i], member("command", value[r, 1]) prose("says", value[r, i]))
		}
	print "    { 0 }\n};\n"
}

END {
	for (r = 1; r <= records; r++) spell_failing(r)
	for (r = 1; r <= records; r++) define_all(r)
	number_what_findings_need()
	for (r = 1; r <= records; r++) check(r)
	if (failed) exit 1
	if (headers) write_headers()
	print "/* Made of text files by src/explain/embed.awk. */"
	print "#include <errno.h>\n#include <infiniband/verbs.h>\n"
	print "#include \"check/check.h\"\n#include \"command/command.h\"\n#include \"command/host_readings.h\"\n#include \"command/test_ends.h\"\n#include \"explain/knowledge.h\"\n#include \"fleet/compare.h\"\n#include \"fleet/mesh/mesh.h\"\n#include \"model/system.h\"\n#include \"selftest/diagnosis/diagnosis.h\"\n#include \"selftest/peer/server.h\"\n#include \"view/gpus.h\"\n#include \"view/metrics/family.h\"\n"
	print "#include \"check/judge.h\"\n#include \"check/use.h\"\n#include \"model/facts.h\"\n#include \"model/statistics.h\"\n"
	print "const unsigned lines_first = " needed_lines ";\nconst size_t lines_first_size = " needed_size ";\n"
	write_conditions()
	write_messages()
	write_words()
	write_terms()
	write_texts()
	write_causes()
	write_failures()
	write_checks()
	write_log()
	write_rules()
	write_commands()
	write_insteads()
	write_counters("counters", "counter_tables")
	write_counters("driver", "statistic_tables")
}
