# Changes in a cluster between two scrapes, for the programs that print them:
#   awk -f scrapes.awk -f metrics.awk BEFORE AFTER
# Each file begins with "# scraped_at SECONDS" and holds the /metrics of all processes one after the
# other; series of one family are summed. "-": the family is missing, or there were no events.

FNR == 1 {
  file++
  scraped_at[file] = $3
}
/^#/ || NF < 2 { next }
{
  name = $1
  sub(/\{.*/, "", name)
  value = $NF + 0
  seen[name] = 1
  if (match($0, /le="[^"]*"/)) {
    le = substr($0, RSTART + 4, RLENGTH - 5)
    if (!((name, le) in known)) {
      known[name, le] = 1
      bounds[name] = bounds[name] " " le
    }
    bucket[file, name, le] += value
  } else {
    sum[file, name] += value
    if (match($0, /(result|reason|event)="[^"]*"/)) {
      label = substr($0, RSTART, RLENGTH)
      gsub(/"/, "", label)
      seen[name "{" label "}"] = 1
      sum[file, name "{" label "}"] += value
    }
  }
}

function grown(name) { return sum[2, name] - sum[1, name] }

# As Prometheus' histogram_quantile: linear within the bucket.
function quantile(name, q,    list, n, i, j, t, total, below, here, low) {
  name = name "_bucket"
  n = split(bounds[name], list, " ")
  for (i = 2; i <= n; i++) {
    t = list[i]
    for (j = i - 1; j >= 1 && number(list[j]) > number(t); j--) list[j + 1] = list[j]
    list[j + 1] = t
  }
  total = bucket[2, name, "+Inf"] - bucket[1, name, "+Inf"]
  if (total <= 0) return "-"
  low = 0
  below = 0
  for (i = 1; i <= n; i++) {
    here = bucket[2, name, list[i]] - bucket[1, name, list[i]]
    if (here >= q * total) {
      if (list[i] == "+Inf") return low
      return here == below ? list[i] : low + (list[i] - low) * (q * total - below) / (here - below)
    }
    below = here
    low = list[i]
  }
  return low
}
function number(le) { return le == "+Inf" ? 1e300 : le + 0 }
