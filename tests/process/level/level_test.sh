#!/usr/bin/env bash
# Tests perigee-level with its example: its files, its output and its exit codes.
#   level_test.sh PROGRAM EXAMPLES
set -uo pipefail
program=$1
examples=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
failures=0

expect() { # EXIT_CODE TEXT ARGUMENTS...
  local code=$1 text=$2 output
  shift 2
  output=$("$program" "$@" 2>&1)
  local got=$?
  if [ $got != "$code" ] || ! grep -qF -- "$text" <<<"$output"; then
    printf 'perigee-level %s: exit code %d instead of %d, or without "%s":\n%s\n' "$*" $got "$code" "$text" "$output"
    failures=$((failures + 1))
  fi
}

expect 0 '3 meshes with 56 triangles, 1 hulls' make "$examples/courtyard.gltf" courtyard.level
expect 0 "instance 'fence.001' of mesh 'fence' at (12.000, 0.000, 2.000)" info courtyard.level
expect 0 "point 'spawn.002'" info courtyard.level
expect 0 "material 'ice': surface 2, friction 0.05" info "$examples/courtyard.gltf"
expect 0 'courtyard.level: 3 meshes' check courtyard.level "$examples/courtyard.gltf"
expect 0 '2 meshes with 60 triangles, 1 hulls, 0 heightfields, 3 instances' make "$examples/courtyard.gltf" joined.level --join
expect 0 '54 triangles' check "$examples/courtyard.gltf" --one-sided
cp courtyard.level again.level
"$program" make "$examples/courtyard.gltf" courtyard.level >/dev/null
cmp courtyard.level again.level || failures=$((failures + 1))

head -c 1000 courtyard.level >cut.level
expect 1 'cut.level: the level has' check cut.level courtyard.level
expect 1 'nowhere.glb: it cannot be read' check nowhere.glb
expect 1 'it is a level already' make courtyard.level other.level
expect 1 'cannot be written' make "$examples/courtyard.gltf" nowhere/courtyard.level
sed 's/"uri": "data:/"uri": "..\/data:/' "$examples/courtyard.gltf" >outside.gltf
expect 1 'outside.gltf: buffer 0 is in another file' make outside.gltf outside.level
sed 's/"count": 96/"count": 97/' "$examples/courtyard.gltf" >wrong.gltf
expect 1 "wrong.gltf: mesh 'steps', part 0: accessor 4 has 97 elements" check wrong.gltf
[ ! -e outside.level ] && [ ! -e cut.level.new ] || failures=$((failures + 1))

cp "$examples/courtyard.gltf" model.gltf
cp "$examples/courtyard.gltf" model.level.new
ln -s model.gltf link.gltf
expect 1 'it would replace the file that is read' make model.gltf model.gltf
expect 1 'it would replace the file that is read' make model.gltf ./link.gltf
expect 1 'it would replace the file that is read' make model.level.new model.level
cmp model.gltf "$examples/courtyard.gltf" && cmp model.level.new "$examples/courtyard.gltf" || failures=$((failures + 1))
sed 's/"name": *"ice"/"name": "\\u001b[2Jice"/' "$examples/courtyard.gltf" >escapes.gltf
expect 1 "material '\u{1b}[2Jice' cannot be written" check escapes.gltf

map=(--heightmap "$examples/valley.png" --spacing-m 1 --height-m 16)
expect 0 '1 heightfields, 1 instances' make valley.level "${map[@]}" --material grass:1:0.8 --material ice:2:0.05 \
  --materials-map "$examples/valley_materials.png"
expect 0 "heightfield 'valley': 65 x 65 samples every 1 m, 8184 triangles, 4 holes" info valley.level
expect 0 "material 'ice': surface 2, friction 0.05" info valley.level
expect 0 '3 meshes with 56 triangles, 1 hulls, 1 heightfields, 6 instances' make "$examples/courtyard.gltf" both.level \
  "${map[@]}" --low-m -8 --middle-m 60 -2 --diagonals alternating
expect 0 "instance 'valley' of heightfield 'valley' at (60.000, 0.000, -2.000)" info both.level
expect 0 "(-32.000, -8.000, -32.000)" info both.level
printf '\1\0\2\0\3\0\4\0\5\0\377\377' >six.r16
six=(--heightmap six.r16 --spacing-m 0.5 --height-m 65.535)
expect 0 '1 heightfields' make six.level "${six[@]}" --columns 3 --hole 65535
expect 0 "heightfield 'six': 3 x 2 samples every 0.5 m, 2 triangles, 1 holes" info six.level
expect 1 'six.r16: the heightmap has 12 bytes, which are no square' make six.level "${six[@]}"
expect 1 'it would replace the file that is read' make six.r16 six.r16 "${six[@]}"
expect 1 'has to end in .level' make six.new "${six[@]}"
expect 1 "map of materials has 64 x 64 pixels: it needs 2 x 1" make six.level "${six[@]}" --columns 3 \
  --materials-map "$examples/valley_materials.png"
expect 1 "--material 'ice:wet' is not NAME" make six.level "${six[@]}" --columns 3 --material ice:wet
expect 1 '8 bits a pixel' make cut.level --heightmap "$examples/valley_materials.png" --spacing-m 1 --height-m 16
head -c 3000 "$examples/valley.png" >cut.png
expect 1 'cut.png: the PNG is damaged: it ends too early' make other.level --heightmap cut.png --spacing-m 1 --height-m 16
expect 1 'a heightmap is a .png' make other.level --heightmap courtyard.level --spacing-m 1 --height-m 16
expect 1 'within 32,768 m of the middle' make other.level --heightmap "$examples/valley.png" --spacing-m 5000 --height-m 16
expect 2 'requires --spacing-m' make other.level --heightmap six.r16
expect 2 '--heightmap' make other.level --spacing-m 1
[ ! -e other.level ] || failures=$((failures + 1))

expect 2 'A subcommand is required' paint courtyard.level
expect 2 'level is required' make courtyard.level
expect 0 'examples:' --help
[ $failures = 0 ]
