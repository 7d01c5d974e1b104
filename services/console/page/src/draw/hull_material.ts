/** The material of everything that has been built: panels and bright edges, without textures. */
import * as THREE from 'three';

const vertexHead = /* glsl */ `
attribute vec4 face;
attribute float glow;
attribute float limb;
#ifdef USE_WALK
attribute vec2 walk; // phase in radians, swing in radians
#endif
varying vec4 vFace;
varying float vGlow;
`;

// Limbs swing about the hips and the shoulders.
const vertexLimbs = /* glsl */ `
vFace = face;
vGlow = glow;
#ifdef USE_WALK
if (limb != 0.0) {
  float hinge = abs(limb) > 1.5 ? 0.42 : -0.12;
  float angle = sin(walk.x) * walk.y * (limb == 1.0 || limb == -2.0 ? 1.0 : -1.0);
  float c = cos(angle), s = sin(angle);
  vec2 arm = vec2(transformed.y - hinge, transformed.z);
  transformed.y = hinge + arm.x * c - arm.y * s;
  transformed.z = arm.x * s + arm.y * c;
}
#endif
`;

const fragmentHead = /* glsl */ `
varying vec4 vFace;
varying float vGlow;

// 1 on lines that are \`step\` metres apart; fades where lines are thinner than pixels.
float panelLines(vec2 at, float stepM, float widthM) {
  vec2 cell = abs(fract(at / stepM - 0.5) - 0.5) * stepM;
  vec2 pixel = fwidth(at);
  vec2 line = 1.0 - smoothstep(vec2(widthM), vec2(widthM) + pixel * 1.2 + 0.004, cell);
  vec2 shown = 1.0 - smoothstep(vec2(0.12 * stepM), vec2(0.4 * stepM), pixel);
  return max(line.x * shown.x, line.y * shown.y);
}
`;

const fragmentPanels = /* glsl */ `
float edgeM = min(vFace.z - abs(vFace.x), vFace.w - abs(vFace.y));
if (vFace.z < 5000.0) {
  float large = min(vFace.z, vFace.w);
  float pixel = fwidth(edgeM);
  float rim = (1.0 - smoothstep(0.02, 0.05 + pixel, edgeM)) * (1.0 - smoothstep(0.25, 1.2, pixel));
  float fine = large > 1.5 ? panelLines(vFace.xy, 1.0, 0.008) : 0.0;
  float coarse = large > 6.0 ? panelLines(vFace.xy, 5.0, 0.035) : 0.0;
  diffuseColor.rgb *= 1.0 - 0.24 * fine - 0.42 * coarse;
  diffuseColor.rgb += (0.035 + 0.5 * diffuseColor.rgb) * rim;
}
`;

const fragmentGlow = /* glsl */ `
totalEmissiveRadiance += vGlow * diffuseColor.rgb * 1.15;
`;

export interface HullOptions {
  /** Instances have the attribute `walk`. */
  walks?: boolean;
  /** Drawn as a hologram of this colour. */
  hologram?: string;
}

export function hullMaterial({ walks = false, hologram }: HullOptions = {}): THREE.Material {
  const material = new THREE.MeshStandardMaterial({
    vertexColors: true,
    roughness: 0.62,
    metalness: 0.28,
    ...(hologram ? { transparent: true, opacity: 0.34, depthWrite: false, blending: THREE.AdditiveBlending } : {}),
  });
  if (walks) material.defines = { ...material.defines, USE_WALK: '' };
  const tint = hologram ? new THREE.Color(hologram) : undefined;
  material.onBeforeCompile = (shader) => {
    if (tint) shader.uniforms['hologram'] = { value: tint };
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${vertexHead}`)
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${vertexLimbs}`);
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', `#include <common>\n${fragmentHead}${tint ? 'uniform vec3 hologram;\n' : ''}`)
      .replace('#include <color_fragment>', `#include <color_fragment>\n${fragmentPanels}`)
      .replace('#include <emissivemap_fragment>', `#include <emissivemap_fragment>\n${
        tint ? 'totalEmissiveRadiance += hologram * 0.8;' : fragmentGlow}`);
  };
  material.customProgramCacheKey = () => `hull${walks ? ' walks' : ''}${tint ? ' hologram' : ''}`;
  return material;
}

/** An outline: the back of the geometry, grown along its normals. */
export function outlineMaterial(color: string, walks = false): THREE.Material {
  const material = new THREE.MeshBasicMaterial({ color, side: THREE.BackSide, toneMapped: false, fog: false });
  if (walks) material.defines = { ...material.defines, USE_WALK: '' };
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader
      .replace('#include <common>', `#include <common>\n${vertexHead}`)
      .replace('#include <begin_vertex>', `#include <begin_vertex>\n${vertexLimbs}\ntransformed += normal * 0.045;`);
  };
  material.customProgramCacheKey = () => `outline${walks ? ' walks' : ''}`;
  return material;
}
