# Compares measurements with the model: one size for each row of tools/scale/checks.txt.
function shown(x) { return x >= 1000 ? sprintf("%d,%03d", x / 1000, x % 1000) : x >= 100 ? sprintf("%.0f", x) : x >= 10 ? sprintf("%.1f", x) : x >= 0.5 ? sprintf("%.2f", x) : sprintf("%.3f", x) }
END {
  if (wrong) exit 2
  print "| measured by | figure | measured | model | off by |"
  print "|---|---|---|---|---|"
  while ((getline line < "tools/scale/checks.txt") > 0) {
    if (line ~ /^#/) continue
    split(line, part, "|")
    n++
    measured = trimmed(part[4]) + 0
    model = v[trimmed(part[5]), n] * trimmed(part[6])
    of = trimmed(part[3])
    print "| " trimmed(part[1]) " | " trimmed(part[2]) (of == "" ? "" : " (" of ")") " | " shown(measured) " | " shown(model) " | " sprintf("%+.0f %%", 100 * (model / measured - 1)) " |"
  }
}
