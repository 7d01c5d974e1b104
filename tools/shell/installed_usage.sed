# The help of an installed program: without the commands of a checkout, and called by its name (sed -E).
/^in a checkout/,/^$/d
/^  \.\/perigee (doctor|build|test|bench|scale|docs|fuzz)/d
s#\./perigee#perigee#g
