# The chart of docs/scale.md: a bar for each limit and size; its length is the used share of the
# limit, in powers of ten up to a hundred times.

function bar(share,    decades) {
  decades = log(most(share, 0.01)) / log(10) + 2  # 0 at 1 %, 2 at 100 %
  return least(most(decades, 0.02), 4) / 4
}
function kind(share) { return share > 1 ? "over" : share > 0.5 ? "near" : "well" }
function percent(share) {
  return share >= 10 ? sprintf("×%.0f", share) : share > 1 ? sprintf("×%.1f", share) : sprintf(share < 0.01 ? "%.1f %%" : "%.0f %%", share * 100)
}
function thousands(x,    text) {
  text = sprintf("%.0f", x)
  if (x >= 1e6) return substr(text, 1, length(text) - 6) "," substr(text, length(text) - 5, 3) "," substr(text, length(text) - 2)
  return x >= 1000 ? substr(text, 1, length(text) - 3) "," substr(text, length(text) - 2) : text
}

END {
  if (wrong) exit 2
  left = 262; wide = 174; gap = 8; high = 25; top = 92
  width = left + sizes * wide + 16
  height = top + limits * high + 52
  print "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " width " " height "\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"14\">"
  print "  <title>Which resource is exhausted at which size</title>"
  print "  <style>"
  print "    .bg { fill: #fbfaf7; stroke: #d8d4ca; } .name { fill: #1f2d3d; } .head { fill: #1f2d3d; font-weight: bold; }"
  print "    .note { fill: #4d4a44; font-size: 12px; } .room { fill: #efece5; } .full { stroke: #44546a; stroke-dasharray: 3 3; }"
  print "    .well { fill: #9dbfa9; } .near { fill: #e3b96b; } .over { fill: #c8693a; } .value { fill: #1f2d3d; font-size: 12px; }"
  print "  </style>"
  printf "  <rect class=\"bg\" x=\"1\" y=\"1\" width=\"%d\" height=\"%d\" rx=\"10\"/>\n", width - 2, height - 2
  print "  <text class=\"head\" x=\"20\" y=\"32\">Demand relative to capacity</text>"
  for (n = 1; n <= sizes; n++) {
    x = left + (n - 1) * wide
    printf "  <text class=\"head\" x=\"%d\" y=\"58\">%s workers</text>\n", x, thousands(v["workers", n])
    printf "  <text class=\"note\" x=\"%d\" y=\"76\">%s players</text>\n", x, thousands(v["players", n])
  }
  for (l = 1; l <= limits; l++) {
    y = top + (l - 1) * high
    printf "  <text class=\"name\" x=\"20\" y=\"%d\">%s</text>\n", y + 15, limit_what[l]
    for (n = 1; n <= sizes; n++) {
      x = left + (n - 1) * wide
      share = v["share_" limit_at[l], n]
      printf "  <rect class=\"room\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", x, y, wide - gap, high - 5
      printf "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>", kind(share), x, y, bar(share) * (wide - gap), high - 5
      printf "<path class=\"full\" d=\"M%.1f %d v%d\"/>", x + (wide - gap) / 2, y, high - 5
      printf "<text class=\"value\" x=\"%d\" y=\"%d\">%s</text>\n", x + 5, y + 14, percent(share)
    }
  }
  printf "  <text class=\"note\" x=\"20\" y=\"%d\">Bars are in powers of ten: empty 1 %%, the dashed line 100 %%, full a hundred times the capacity.</text>\n", height - 18
  print "</svg>"
}
