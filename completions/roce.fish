# SPDX-License-Identifier: MIT
# fish completion for roce. It knows nothing of roce's commands: it asks the binary what can stand at the cursor. It asks the one that $PATH finds,
# whatever path the line names: a key that completes must not run a file that somebody has left in a directory.

function __roce_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l roce (command -s roce)
    string match -q '/*' -- $roce; or return
    set -e words[1]
    for line in ($roce complete -- $words "$word" 2>/dev/null)
        switch $line
            case :nospace # fish adds no space behind a word that can go on
            case :directories
                set -l option (string match -r '^-[^=]*=' -- $word)
                __fish_complete_directories (string replace -r '^-[^=]*=' '' -- "$word") | string replace -r -- '^' "$option"
            case :files
                set -l option (string match -r '^-[^=]*=' -- $word)
                __fish_complete_path (string replace -r '^-[^=]*=' '' -- "$word") | string replace -r -- '^' "$option"
            case '*'
                echo $line
        end
    end
end
complete -c roce -f -a '(__roce_complete)'
