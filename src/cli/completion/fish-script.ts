export const FISH_SCRIPT = `# fish completion of minutehand, made by: minutehand completion fish

function __minutehand_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    set -l all (commandline -op)
    set -l here (count $before (commandline -t | string match -r '.+') behind)
    set -l after $all[$here..-1]
    set -l lines (command minutehand __complete --after=(count $after) $after $before[2..-1] $word 2>/dev/null)
    set -l head (string split ' ' -- $lines[1])
    test (count $head) -eq 2; or return
    printf '%s\\n' $lines[2..-1]
    contains -- $head[1] files folders; or return
    set -l typed (string sub -s (math $head[2] + 1) -- $word)
    set -l kept (string sub -l $head[2] -- $word)
    set -l paths (__fish_complete_path $typed)
    if test $head[1] = folders
        set paths (__fish_complete_directories $typed '')
    end
    for path in $paths
        printf '%s\\n' $kept$path
    end
end

complete -c minutehand -f -a '(__minutehand_complete)'
`;
