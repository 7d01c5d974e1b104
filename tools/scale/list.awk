# The rows of a file of coefficients, as Markdown: `of` selects coefficients or limits.
END {
  if (wrong) exit 2
  print (of == "limits" ? "| limit | value | of | where |" : "| coefficient | value | what | measured by |")
  print "|---|---|---|---|"
  for (i = 1; i <= count_of(named); i++) {
    name = named[i]
    if ((name ~ /^limit_/) != (of == "limits")) continue
    shown = name
    sub(/^limit_/, "", shown)
    print "| `" shown "` | " written[name] (unit[name] == "" ? "" : " " unit[name]) " | " what[name] " | " where[name] " |"
  }
}
function count_of(list,    i, n) { for (i in list) n++; return n }
