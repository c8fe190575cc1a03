# SPDX-License-Identifier: MIT
# Makes C tables, on standard output, of the records in the text files it is given: README.md beside it has their form.
# What explain alone asks for is text for texts.c, in the file -v texts=FILE, each with a tab behind it.
# What is wrong with a record is said with its file and line, and stops the build.

BEGIN {
	# What a record may say behind its first line, those that it can't be without first, up to the bar.
	keys["message"] = "| message name as of means end causes because checks at error status source"
	keys["table"] = "called | asked"
	keys["word"] = "means | also number end causes because checks"
	keys["term"] = "means | also short"
	keys["end"] = "text |"
	keys["cause"] = "text | measured"
	keys["status"] = "words | syndrome means end causes general checks"
	keys["step"] = "words | call"
	keys["failure"] = "checks | error means causes"
	keys["topic"] = "text |"
	keys["check"] = "of fires-on needs healthy why fix | follows reads doubts marks unless judge counts if-any among warn-ppm fail-ppm"
	keys["log"] = "means weight |"
	keys["rule"] = "compare verdict why fix | values within because with least"
	keys["family"] = "counter help |"
	keys["driver"] = "source row |"
	keys["command"] = "| says example"
	keys["instead"] = "says | roce instead"
	optional["failure"] = "checks" # that 'means' is there is asked for below
	many = " message because causes call source says example row instead "
	placeholders = "[{](status|syndrome|errno|error|reject|event|cmevent|async|asyncnumber|address)[}]"
	CAUSES = 4; CAUSE_LENGTH = 319 # LIKELY_CAUSES, CAUSE_TEXT_SIZE
	MEANING = 100 # as in tests/unit/counters.c
	if (!texts) texts = "/dev/null"
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
		inside = $1 in keys ? 1 : -1
		if (inside < 0) fail(here, "no record begins with '" $1 "'")
		else { records++; kind[records] = $1; place[records] = here }
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

# Its causes, a line each.
function causes_of(r,   i, n, ids, list, steps) {
	for (steps = 0; !has[r, "causes"] && !has[r, "because"] && own(r, "as") != "" && steps < 9; steps++) r = defined["name", own(r, "as")]
	for (i = 1; i <= fields[r]; i++)
		if (key[r, i] == "because") list = list "\n" value[r, i]
		else if (key[r, i] == "causes")
			for (n = 1; n <= split(value[r, i], ids, /, */); n++) list = list "\n" own(defined["cause", ids[n]], "text")
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
	if (pattern ~ /^~/ && pattern ~ /[A-Z]|[{]event[}]/) fail(here, "behind '~' there are small letters only, and no {event}")
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

function check_message(r,   steps, base) {
	base = r
	for (steps = 0; own(base, "as") != ""; steps++) {
		if (!(("name", own(base, "as")) in defined)) { fail(where(base, "as"), "no record with the name '" own(base, "as") "'"); return }
		if (steps == 9) { fail(where(r, "as"), "records that are as each other in a circle"); return }
		base = defined["name", own(base, "as")]
	}
	if (get(r, "means") == "" && get(r, "status") == "" && get(r, "error") == "" && own(r, "message") !~ /[{]/)
		fail(place[r], "no 'means', and nothing in the message that has a meaning")
}

function check_names(r, type,   i, ids) {
	define(type, tolower(value[r, 1]), place[r], r)
	for (i = split(own(r, "also"), ids, /, */); i > 0; i--) define(type, tolower(ids[i]), where(r, "also"), r)
}

# NAME | SEVERITY UNIT ROLE | MEANING, of a driver
function check_row(r, i,   part, say, n) {
	n = split(value[r, i], part, / *[|] */)
	if (n != 3 || split(part[2], say, " ") < 2 || 3 in say && 4 in say) { fail(at[r, i], "a row is NAME | SEVERITY UNIT ROLE | MEANING, the role if it has one"); return }
	define("row of " value[r, 1], part[1], at[r, i], r)
	gsub(/[{][pn][}]/, "", part[1])
	if (part[1] ~ /[{}]/) fail(at[r, i], "a {…} that isn't {p} or {n}")
	if (say[1] !~ /^(info|warning|error)$/) fail(at[r, i], "no severity '" say[1] "'")
	if (3 in say && (say[3] ~ /^(priority-|pfc-|pause-time$|pause-asked$)/) != (value[r, i] ~ /[{]p[}]/)) fail(at[r, i], "the role '" say[3] "' is for a name with {p}, and no other")
	if (say[3] == "pause-time" && say[2] != "microseconds") fail(at[r, i], "a pause-time is in microseconds: in another unit it is pause-asked")
	if (length(part[3]) > MEANING) fail(at[r, i], "a meaning is at most " MEANING " bytes")
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
		else if (name == "row") check_row(r, i)
		else if (name == "weight" && value[r, i] !~ /^(lasting|error|warning|link|notice)$/) fail(at[r, i], "no weight '" value[r, i] "'")
		else if (name == "message") check_pattern(at[r, i], unquoted(value[r, i]))
		else if (name == "means" && kind[r] ~ /message|word|term/ && value[r, i] !~ /[.?]$/) fail(at[r, i], "a meaning is a sentence, with its full stop")
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
	if (!failed && split(causes_of(r), needed, "\n") > CAUSES && kind[r] !~ /status|failure/) fail(place[r], "more than " CAUSES " causes")
}

# Whatever others name, and names that must be one thing's alone.
function define_all(r,   i) {
	if (kind[r] == "rule") defined["fact", substr(value[r, 1], index(value[r, 1], " ") + 1)] = r
	if (kind[r] ~ /^(end|cause|status|step|table|check|log|rule|family|command|driver)$/) define(kind[r], value[r, 1], place[r], r)
	else if (kind[r] == "term") check_names(r, "term")
	else if (kind[r] == "word" && !table) fail(place[r], "a word before any table")
	else if (kind[r] == "word") check_names(r, "word of '" value[table, 1] "'")
	else if (kind[r] == "instead") {
		for (i = 1; i <= fields[r]; i++) if (key[r, i] == "instead") define("instead", value[r, i], at[r, i], r)
	} else if (kind[r] == "message") {
		if (has[r, "name"]) define("name", own(r, "name"), where(r, "name"), r)
		for (i = 1; i <= fields[r]; i++) if (key[r, i] == "message") define("message", value[r, i], at[r, i], r)
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

# Texts of a record, for texts.c.
function pack(a, b, c, d, e, f) {
	printf "%s\t%s\t%s\t%s\t%s\t%s\t", a, b, c, d, e, f >texts
}

function what_is_said(r) {
	return member("end", end_of(r)) member("checks", listed(get(r, "checks")))
}

function write_messages(   r, i, of, numbers) {
	print "const struct message_numbers message_numbers[] = {"
	for (r = 1; r <= records; r++) {
		if (kind[r] != "message") continue
		of = get(r, "of")
		numbers = constant("step", "STEP_", get(r, "at")) constant("err", "", get(r, "error")) constant("status", "", get(r, "status"))
		for (i = 1; i <= fields[r]; i++) {
			if (key[r, i] != "message") continue
			row(at[r, i], numbers)
			pack(unquoted(value[r, i]), of == "any" ? "" : of, get(r, "means"), end_of(r), causes_of(r), listed(get(r, "checks")))
		}
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
			row_at(place[r], value[r, 1], "CAUSE_", member("text", own(r, "text")) member("measured", own(r, "measured")))
	print "};\n"
}

function write_failures(   r, i) {
	print "const struct step_words step_words[STEPS] = {"
	for (r = 1; r <= records; r++) if (kind[r] == "step") row_at(place[r], value[r, 1], "STEP_", member("text", own(r, "words")))
	print "};\n\nconst struct step_call step_calls[] = {"
	for (r = 1; r <= records; r++)
		for (i = 1; i <= fields[r]; i++) if (key[r, i] == "call") row(at[r, i], member("call", value[r, i]) constant("step", "STEP_", value[r, 1]))
	print "    { 0 }\n};\n\nconst struct status_words status_words[] = {"
	for (r = 1; r <= records; r++)
		if (kind[r] == "status") row_at(place[r], value[r, 1], "", member("name", value[r, 1]) member("text", own(r, "words")) \
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

# "state, gids" as PREFIX_STATE | PREFIX_GIDS.
function joined(prefix, text, suffix) {
	gsub(/, */, suffix " | " prefix, text)
	return prefix toupper(underscored(text)) suffix
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
	if (has[r, "unless"]) line = line " .precondition = " underscored(own(r, "unless")) ","
	if (has[r, "counts"]) line = line " .counting = { " ".roles = " joined("ROLES_OF(ROLE_", own(r, "counts"), ")") "," constant("if_any", "VERDICT_", own(r, "if-any")) \
		constant("packets", "ROLE_", own(r, "among")) amount("warn_ppm", own(r, "warn-ppm")) amount("fail_ppm", own(r, "fail-ppm")) " },"
	return line " .judge = judge_" underscored(has[r, "judge"] ? own(r, "judge") : value[r, 1]) "," member("healthy", own(r, "healthy")) \
		member("why", own(r, "why")) member("fix", own(r, "fix"))
}

function write_checks(   r) {
	print "const struct topic check_topics[] = {"
	for (r = 1; r <= records; r++) if (kind[r] == "topic") row(place[r], member("name", value[r, 1]) member("text", own(r, "text")))
	print "    { 0 }\n};\n"
	for (r = 1; r <= records; r++)
		if (kind[r] == "check") {
			declare("judge_" (has[r, "judge"] ? own(r, "judge") : value[r, 1]))
			if (has[r, "unless"]) declare(own(r, "unless"))
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
			if (key[r, i] == "instead") row(at[r, i], member("words", value[r, i]) member("roce", own(r, "roce")) member("says", own(r, "says")))
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
			(has[r, "values"] ? " .own_values = true," : "") (has[r, "least"] ? " .least = " own(r, "least") "," : "") member("within", own(r, "within")) \
			member("because", listed(own(r, "because"))) member("with", own(r, "with")) member("why", own(r, "why")) member("fix", own(r, "fix")))
	}
	print "    { .key = NULL }\n};\n"
}

function write_families(   r, file) {
	print "const struct family node_exporter_counters[] = {"
	for (r = 1; r <= records; r++) {
		if (kind[r] != "family") continue
		split(own(r, "counter"), file, "/")
		row(place[r], member("name", value[r, 1]) member("help", own(r, "help")) " .of = OF_PORTS," member("dir", file[1]) member("file", file[2]))
	}
	print "    { .name = NULL }\n};\n"
}

function write_statistics(   r, i, part, say, list) {
	for (r = 1; r <= records; r++) {
		if (kind[r] != "driver") continue
		print "static const struct counter_def statistics_of_" value[r, 1] "[] = {"
		for (i = 2; i <= fields[r]; i++) {
			if (key[r, i] != "row") continue
			split(value[r, i], part, / *[|] */)
			delete say
			split(part[2], say, " ")
			row(at[r, i], member("name", part[1]) member("meaning", part[3]) constant("unit", "COUNTER_", say[2]) constant("severity", "COUNTER_", say[1]) \
				constant("role", "ROLE_", say[3]) (say[2] == "percent" ? " .kind = COUNTER_GAUGE," : " .width = 64,") " .scale = 1,")
		}
		print "};\n"
		list = list "    {" (value[r, 1] == "kernel" ? member("dir", "/sys/class/net/NAME") : member("family", value[r, 1]) member("dir", "ethtool -S")) \
			" .defs = statistics_of_" value[r, 1] ", .count = ARRAY_SIZE(statistics_of_" value[r, 1] ") },\n"
	}
	print "const struct counter_table statistic_tables[] = {\n" list "    { 0 }\n};\n"
}

# An example is a command line and, as a comment of a shell's, what it is for.
function write_commands(   r, i, end) {
	print "const struct command_text command_texts[] = {"
	for (r = 1; r <= records; r++)
		for (i = 2; kind[r] == "command" && i <= fields[r]; i++) {
			end = key[r, i] == "example" ? index(value[r, i], "  # ") : 0
			if (end) row(at[r, i], member("command", value[r, 1]) member("example", substr(value[r, i], 1, end - 1)) member("says", substr(value[r, i], end + 4)))
			else row(at[r, i], member("command", value[r, 1]) member("says", value[r, i]))
		}
	print "    { 0 }\n};\n"
}

END {
	for (r = 1; r <= records; r++) define_all(r)
	for (r = 1; r <= records; r++) check(r)
	if (failed) exit 1
	print "/* Made of text files by src/explain/embed.awk. */"
	print "#include <errno.h>\n#include <infiniband/verbs.h>\n"
	print "#include \"check/check.h\"\n#include \"command/command.h\"\n#include \"explain/knowledge.h\"\n#include \"fleet/compare.h\"\n#include \"model/system.h\"\n#include \"selftest/diagnosis/diagnosis.h\"\n#include \"view/metrics/family.h\"\n"
	print "#include \"check/judge.h\"\n#include \"check/use.h\"\n#include \"model/facts.h\"\n#include \"model/statistics.h\"\n"
	write_messages()
	write_words()
	write_terms()
	write_causes()
	write_failures()
	write_checks()
	write_log()
	write_rules()
	write_families()
	write_commands()
	write_insteads()
	write_statistics()
}
