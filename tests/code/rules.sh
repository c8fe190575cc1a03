# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The rules of tests/code/run. Each prints what breaks it.

mapfile -t c_files < <(git ls-files '*.c' '*.h')
mapfile -t product < <(git ls-files 'src/*.[ch]' 'cmd/*.[ch]')

# nothing: succeeds when there is nothing to read; else shows it.
nothing() {
	! grep .
}

# "FILE INCLUDED" for each of our headers that a file includes, both from the top of the tree.
includes() {
	grep -HoP '^#include "\K[^"]+' "$@" | awk -F: '{
		to = "src/" $2
		if ($2 !~ /\//) { to = $1; sub(/[^\/]*$/, "", to); to = to $2 } # beside it
		print $1, to
	}'
}

# The ladder: a file may include what is of its own part or of one below. Parts of one rung know nothing of each other; the
# sources are known from command/ on, as a view only shows.
includes_go_one_way() {
	includes "${product[@]}" | awk '
		BEGIN {
			rungs = split("base; model; neighbor consumer trace; source check fleet selftest history; explain; view; command; cmd; main", rung, "; ")
			for (i = 1; i <= rungs; i++)
				for (n = split(rung[i], parts, " "); n > 0; n--)
					height[parts[n]] = i
		}
		function part(file,   steps) {
			if (file == "src/main.c") return "main"
			split(file, steps, "/")
			return steps[1] == "cmd" ? "cmd" : steps[2]
		}
		{
			from = part($1); to = part($2)
			if (!(from in height) || !(to in height)) print $1 " includes " $2 ": a part without a rung"
			else if (from != to && (height[to] >= height[from] || (from ~ /^(explain|view)$/ && to == "source")))
				print $1 " includes " $2 ": " from " may not know of " to
		}' | nothing
}

no_circle_of_headers() {
	includes "${product[@]}" | grep -v '\.c ' | tsort 2>&1 >/dev/null | nothing
}

# Of the compiled files: none uses a name of another that, in however many steps, uses one of its own.
no_circle_of_files() {
	printf '%s\n' "${product[@]}" | sed -n 's|^\(.*\)\.c$|build/static/\1.o|p' | xargs nm -AP | awk '
		{ sub(/:$/, "", $1) }
		$3 ~ /^[TDBRVWC]$/ { home[$2] = $1 }
		$3 == "U" { use[NR] = $2; by[NR] = $1 }
		END { for (i in use) if (use[i] in home && home[use[i]] != by[i]) print by[i], home[use[i]] }' |
		sort -u | tsort 2>&1 >/dev/null | nothing
}

only_back_ends_know() {
	grep -nE '_is_recorded\(|\bif \(.*\brecorded\b' "${product[@]}" | grep -v '^src/source/' | nothing
}

# The time of day is for people to read: an event's, an answer's, a heading's; a file's age where the file doesn't tell (state.c); and a number to
# begin with (transport.c). Whatever waits or measures has a clock that nobody sets.
time_of_day_is_for_people() {
	git grep -nE 'CLOCK_REALTIME|\bgettimeofday *\(|\btime\((NULL|0|&)' -- 'src/*.c' 'cmd/*.c' | cut -d : -f 1,3- | diff - <(
		cat <<-'END'
			src/base/clock.c:    clock_gettime(CLOCK_REALTIME, &now);
			src/source/netlink/transport.c:    netlink->sequence = (uint32_t)time(NULL);
		END
	)
}

no_getters() {
	grep -nE 'GETTER|^ *\(void\)context;' "${product[@]}" | nothing
}

no_broken_member() {
	awk -f tests/code/members.awk "${c_files[@]}"
}

# Six lines; see tests/code/repeats.awk for what counts as one. Rulesets of firewalls (tests/vm/rulesets) are as long as their writers make them.
no_block_twice() {
	git ls-files src cmd tests | grep -vE '\.md$|^tests/(fuzz/corpus|differential/expected|vm/rulesets)($|/)' | xargs awk -f tests/code/repeats.awk
}

# Standard error: say.c, and mem.c when there is no memory to say it by. Standard output: cmd/ and view/.
writers() {
	{
		grep -nE '\b(fprintf|fputs|fwrite|vfprintf|putc)\(.*stderr|\bperror\(|\bwarnx?\(|\berrx?\(|STDERR_FILENO' "${product[@]}" |
			grep -vE '^src/(base/(say|mem)|view/(pager|terminal))\.c:'
		grep -nE '\b(printf|puts|putchar|vprintf|putchar_unlocked)\(|\bstdout\b' "${product[@]}" | grep -vE '^(src/view/|cmd/|src/main\.c:)'
	} | nothing
}

out_of_memory_takes_none() {
	local body
	body=$(sed -n '/void end(const char \*message)$/,/^}/p; /out_of_memory(void)$/,/^}/p' src/base/mem.c)
	grep -q 'out of memory' <<<"$body" || { echo "src/base/mem.c: no out_of_memory()" && return 1; }
	grep -oE '\b[a-z_]+\(' <<<"$body" | grep -vxE 'out_of_memory\(|end\(|strlen\(|write\(|if\(|_?exit\(' | nothing
}

licence_is_named() {
	{
		printf '%s\n' "${c_files[@]}" Makefile
		git ls-files 'tests/*.mk' 'tests/*.sh' 'tests/*.awk' 'tests/*.jq' 'tests/*.exp' completions
		scripts_of_the_tree
	} | sort -u | xargs awk '
		FNR == 1 { named = 0 }
		/SPDX-License-Identifier: (MIT|GPL-2.0)/ { named = 1 }
		FNR == 3 { if (!named) print FILENAME; nextfile }' | nothing
}

# Behind the licence, in one sentence.
files_say_what_they_are_for() {
	local file
	for file in $(git ls-files 'src/*.c' 'cmd/*.c'); do
		sed -n 2p "$file" | grep -q '^/\*' || echo "$file"
	done | nothing
}

no_wide_lines() {
	printf '%s\n' "${product[@]}" | LC_ALL=C.UTF-8 xargs grep -nE '^.{113,}' | nothing
}

# But where the room says it: a check's topic, a command, a driver, a consumer, what is read of a kernel's file or answer.
names_stand_once() {
	git ls-files 'src/*.c' | grep -vE '^src/(check|consumer|source/(files|netlink|verbs))/' | awk -F/ '
		{ count[$NF]++; files[$NF] = files[$NF] " " $0 }
		END { for (name in count) if (count[name] > 1) print name ":" files[name] }' | nothing
}

no_testing_files() {
	git ls-files | grep '/testing_' | nothing
}

only_top_level() {
	git ls-files | cut -d/ -f1 | sort -u | grep -vxE 'Makefile|README.md|CHANGES.md|SECURITY.md|LICENSE|VERSION|src|cmd|fixtures|tests|completions|man|packaging|contrib|\..*' | nothing
}

# A newcomer sees them all at once: no machine is more than two files, no room has a header for each function, and what is short and of a kind shares a file.
# Recorded machines are as many as there are.
few_files() {
	local count
	git ls-files fixtures | grep -vE '^fixtures/([^/]+\.(machine|transcript|expect)|README.md)$' | nothing || return
	count=$(git ls-files ':!fixtures' | wc -l)
	echo "$count files are tracked, without the recorded machines"
	[ "$count" -lt 995 ]
}

# A directory of tests/ is a suite, with a run, or it is told why not.
suites_are_documented() {
	local name bad=0
	while read -r name; do
		[ -x "tests/$name/run" ] || { echo "tests/$name has no run" && bad=1; }
		grep -q "\`$name\`" tests/README.md || { echo "tests/README.md doesn't tell of $name" && bad=1; }
	done < <(git ls-files tests | sed -nE 's|^tests/([^/]+)/.*|\1|p' | sort -u)
	return $bad
}

no_registry() {
	LC_ALL=C git grep -nIE '\b([a-z0-9-]+\.)*(debian\.org/debian|docker\.(io|com)|ghcr\.io|quay\.io|gcr\.io|pypi\.org|npmjs\.(org|com)|crates\.io|proxy\.golang\.org|rubygems\.org|archive\.ubuntu\.com|security\.ubuntu\.com)|deb\.debian\.org|security\.debian\.org|snapshot\.debian\.org' \
		-- ':!tests/code/rules.sh' ':!fixtures' | nothing
}

warnings_stop_no_build() {
	! make --no-print-directory -nB V=1 all | grep -e '-Werror\|--fatal-warnings' &&
		make --no-print-directory -nB V=1 STRICT=1 all | grep -q -e ' -Werror .*-c '
}

# Of src/explain and src/check: each kind of bad record stops the build, and is told with its file and line.
bad_records_are_told() {
	local file=build/bad-record.txt record told said bad=0
	while IFS='|' read -r record told; do
		printf '# planted\n%b\n' "$record" >$file
		if said=$(awk -f src/explain/embed.awk src/explain/*.txt src/check/checks.txt $file 2>&1 >/dev/null) || ! grep -qF "$file:$told" <<<"$said"; then
			echo "'$record' isn't told as '$told', but: $said"
			bad=1
		fi
	done <<-'END'
		mesage It broke badly|2: no record begins with 'mesage'
		message It broke badly\nmeens It broke.|3: unknown key 'meens'
		message It broke badly|2: no 'means'
		message It broke badly\nmeans|3: 'means' says nothing
		message It broke badly\nmeans It broke.\nmeans Badly.|4: 'means' is there twice
		message It broke badly\nmeans It broke|3: a meaning is a sentence
		message NCCL*unhandled system error\nmeans It broke.|2: message 'NCCL*unhandled system error' is there already: src/explain/nccl.txt:
		message It broke: {eror}|2: a {…}
		message It broke ^ badly\nmeans It broke.|2: '^' stands at the beginning
		message a*b\nmeans It broke.|2: too little text
		message It (broke*\0174fell) badly\nmeans It broke.|2: a choice (
		message ~It broke badly\nmeans It broke.|2: behind '~'
		message It broke badly\nas nothing-known|3: no record with the name
		message It broke badly\nname mine\nas mine|4: records that are as each other
		message It broke badly\nname no-device\nmeans It broke.|3: name 'no-device' is there already
		message It broke badly\nmeans It broke.\nend somewhere|4: no end 'somewhere'
		message It broke badly\nmeans It broke.\ncauses memlock-limit, gremlins|4: no cause 'gremlins'
		message It broke badly\nmeans It broke.\nat home|4: no step 'home'
		message It broke badly\nmeans It broke.\nbecause if EINVAL it broke|4: a condition is
		table mine\ncalled mine\n\nword mine\nmeans It broke.\nbecause if EINVAL: it broke|7: only a message's causes
		message It broke badly\nstatus 12|3: no status '12'
		message It broke badly\nerror 110|3: '110' is no errno's name
		message It broke badly\nmeans It broke.\nchecks Gid Route|4: checks are ids
		message It broke badly\nmeans It broke.\nchecks gid-index, gid-hole|4: no check 'gid-hole'
		message It broke badly\nmeans It broke.\nsource a friend|4: a source is an address
		message It broke badly\nmeans It broke.\nmarks sometimes|4: a message is marked 'vague'
		message It broke badly\nmessage with status: {status}|2: no 'means'
		failing a_call(\nmeans It broke.|2: a choice (
		failing gremlin_feed, gremlin_wash|2: no 'means'
		failing (feed*gremlins\0174cats)\nmeans It broke.|2: a choice (
		term GID\nmeans An address.|2: term 'gid' is there already: src/explain/terms.txt:
		term Gremlin\nalso gid\nmeans Who did it.|3: term 'gid' is there already
		word EPERM|2: a word needs 'means'
		cause gremlins|2: a cause needs 'text'
		end far\ntext over there|2: end 'far' is there already
		failure home\nmeans it broke|2: no step 'home'
		\x20 goes on|2: a line that goes on
		driver nic\nrow rx_drop \x7c info packets \x7c lost|2: a driver needs 'source'
		driver nic\nsource linux:drivers/nic.c|2: a driver needs 'row'
		driver nic\nsource nic.c\nrow rx_drop \x7c info packets \x7c lost|3: a source is an address
		driver nic\nsource linux:nic.c\nrow rx_drop \x7c info packets|4: a row is NAME
		driver nic\nsource linux:nic.c\nrow rx_drop \x7c dire packets \x7c lost|4: no severity 'dire'
		driver nic\nsource linux:nic.c\nrow rx_drop{q} \x7c info packets \x7c lost|4: a {…} that isn't
		driver nic\nsource linux:nic.c\nrow rx_drop \x7c info packets \x7c lost\nrow rx_drop \x7c info packets \x7c lost|5: row of nic 'rx_drop' is there already
		driver nic\nsource linux:nic.c\nrow rx_pause \x7c info packets pfc-received \x7c frames|4: the role 'pfc-received' is for a name with {p}
		options mine\noption once|3: an option is -L, --NAME
		options mine\noption --count N \x7c numbr 1..9 \x7c how many|3: 'numbr 1..9' isn't a kind of option
		facts of mine\nfact port mtu \x7c compared|3: a fact is KIND NAME
		columns mine of struct row\ncolumn key \x7c a thing of it \x7c what|3: 'a thing of it' says nothing of where
		families mine\nfamily ports_total \x7c ports|3: a family is NAME
		rows mine \x7c text, number\nrow one|3: a row of mine
		attributes mine\ntable one of port\nrow IFLA_MTU \0174 u32|4: 'u32' doesn't say what an attribute is
		attributes mine\ntable one of port\nrow IFLA_MTU \0174 u32 mtu; maybe|4: 'maybe' is no mark of an attribute
		words mine \0174 MY_\nrow One thing|3: a row of words is NAME
		driver nic\nsource linux:nic.c\nrow rx_pause{p} \x7c info ticks pause-time \x7c time|4: a pause-time is in microseconds
	END
	rm -f $file
	return $bad
}

# Each header compiles alone.
headers() {
	git ls-files 'src/*.h' | xargs -P "$(nproc)" -I{} gcc -std=gnu11 -D_GNU_SOURCE -Isrc -Ibuild/static -include src/base/base.h -Wall -Wextra -Werror \
		-fsyntax-only -include {} -x c /dev/null
}

# A column may name only a member that it can show: what else it names doesn't compile.
compiles_member() { # INITIALISER
	gcc -std=gnu11 -D_GNU_SOURCE -Isrc -Ibuild/static -include src/base/base.h -Wall -Wextra -Werror -fsyntax-only -x c - <<-END
		#include "view/column.h"
		enum colour { RED };
		struct row { struct row *next; const char *text; struct num number; enum tristate known; enum colour colour; unsigned count; float real; double measured; };
		extern const struct column column;
		const struct column column = { "key", $1 };
	END
}
members() {
	local bad=0 right wrong
	for right in 'MEMBER(struct row, next, text)' 'MEMBER(struct row, number)' 'MEMBER(struct row, measured)' 'MEMBER_AS(VALUE_BYTES, struct row, count)' 'MEMBER_HEX(4, struct row, next, next, number)' 'MEMBER_YES_NO(struct row, known)'; do
		compiles_member "$right" || bad=1
	done
	for wrong in 'MEMBER(struct row, txt)' 'MEMBER(struct row, text, text)' 'MEMBER(struct row, next)' 'MEMBER(struct row, count)' 'MEMBER(struct row, colour)' \
		'MEMBER(struct row, real)' 'MEMBER_AS(VALUE_BYTES, struct row, text)' 'MEMBER_HEX(4, struct row, real)' 'MEMBER_YES_NO(struct row, number)'; do
		! compiles_member "$wrong" 2>/dev/null || { echo "$wrong compiles" && bad=1; }
	done
	return $bad
}

# QUICK=1: of what has changed since all was well.
formatted() {
	local stamp=build/formatted new=(-newer build/formatted)
	[ -n "${QUICK:-}" ] && [ -e $stamp ] && [ ! .clang-format -nt $stamp ] || new=()
	touch $stamp.new
	find "${c_files[@]}" "${new[@]}" -print0 | xargs -0 -r -n 30 -P "$(nproc)" clang-format --dry-run -Werror && mv $stamp.new $stamp
}

# Shell scripts by their first line; what they source is read with them.
scripts_of_the_tree() {
	git grep -lzE '^#!.*\b(ba)?sh\b' | xargs -0 awk 'FNR == 1 && /^#!.*[\/ ](ba)?sh( |$)/ {print FILENAME} {nextfile}'
}
# Scenarios are read without the libraries that they source, which would be read anew for each: all of ten times as long as the scenario itself. That
# a variable is set somewhere is for `set -u` to see, which runs all of them.
scripts() {
	{ scripts_of_the_tree && git ls-files 'tests/*.sh' 'contrib/*.nhc'; } | grep -v '^tests/vm/scenarios/' | tr '\n' '\0' | xargs -0 -n 12 -P "$(nproc)" shellcheck -x -e SC1091 &&
		git ls-files 'tests/vm/scenarios/[a-z]*' | xargs -n 20 -P "$(nproc)" shellcheck -e SC2034 # what faults.sh reads
}
