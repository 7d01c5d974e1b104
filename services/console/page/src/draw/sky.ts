/** Stars, a planet with its atmosphere, and a faint nebula: everything that is infinitely far. */
import * as THREE from 'three';

const starCount = 3200;

/** Where the sun stands, and the planet. */
export const sunDirection = new THREE.Vector3(0.08, 0.66, -0.62).normalize();
const planetDirection = new THREE.Vector3(0.86, -0.36, 0.42).normalize();
const planetRadius = 0.64; // at a distance of 1

const hash = /* glsl */ `
float hash(vec3 p) {
  p = fract(p * vec3(0.1031, 0.1030, 0.0973));
  p += dot(p, p.yxz + 33.33);
  return fract((p.x + p.y) * p.z);
}
`;
const noise = /* glsl */ `
${hash}
float soft(vec3 p) {
  vec3 i = floor(p), f = fract(p);
  f = f * f * (3.0 - 2.0 * f);
  return mix(
    mix(mix(hash(i), hash(i + vec3(1, 0, 0)), f.x), mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x), f.y),
    mix(mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x),
        mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}
float clouds(vec3 p) {
  float sum = 0.0, weight = 0.5;
  for (int i = 0; i < 6; ++i) { sum += weight * soft(p); p = p * 2.03 + 17.1; weight *= 0.5; }
  return sum;
}
`;

/** Noise around a sphere, computed once: land, clouds, and the nebula's two layers. */
function bakeNoise(renderer: THREE.WebGLRenderer): THREE.WebGLRenderTarget {
  const target = new THREE.WebGLRenderTarget(2048, 1024, {
    wrapS: THREE.RepeatWrapping, generateMipmaps: true, minFilter: THREE.LinearMipmapLinearFilter,
  });
  const material = new THREE.ShaderMaterial({
    vertexShader: 'varying vec2 vAt; void main() { vAt = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }',
    fragmentShader: `varying vec2 vAt; ${noise}
      void main() {
        float lon = (vAt.x - 0.5) * 6.2831853, lat = (vAt.y - 0.5) * 3.14159265;
        vec3 p = vec3(cos(lat) * cos(lon), sin(lat), cos(lat) * sin(lon));
        float land = clouds(p * 2.2 + 3.0);
        vec3 warp = p * 5.2 + 2.6 * vec3(soft(p * 3.0), soft(p * 3.0 + 9.0), soft(p * 3.0 + 21.0))
            + 0.8 * vec3(soft(p * 9.0), soft(p * 9.0 + 5.0), soft(p * 9.0 + 11.0));
        float cover = clouds(warp * vec3(1.0, 1.5, 1.0));
        gl_FragColor = vec4(land, cover, clouds(p * 1.6 + 40.0), clouds(p * 3.1 + 70.0));
      }`,
    depthTest: false,
    depthWrite: false,
  });
  const quad = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
  quad.frustumCulled = false;
  const former = renderer.getRenderTarget();
  renderer.setRenderTarget(target);
  renderer.render(new THREE.Scene().add(quad), new THREE.Camera());
  renderer.setRenderTarget(former);
  material.dispose();
  quad.geometry.dispose();
  return target;
}

function makeBackdrop(texture: THREE.Texture): THREE.Mesh {
  const material = new THREE.ShaderMaterial({
    uniforms: { baked: { value: texture }, sun: { value: sunDirection } },
    vertexShader: `varying vec3 vDirection;
      void main() { vDirection = position; gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww; }`,
    fragmentShader: `varying vec3 vDirection; uniform sampler2D baked; uniform vec3 sun;
      void main() {
        vec3 d = normalize(vDirection);
        vec2 at = vec2(atan(d.z, d.x) / 6.2831853 + 0.5, asin(clamp(d.y, -1.0, 1.0)) / 3.14159265 + 0.5);
        vec4 n = textureLod(baked, at, 0.0);
        float band = exp(-pow(dot(d, normalize(vec3(0.35, 0.78, 0.52))) * 2.6, 2.0));
        vec3 color = vec3(0.0042, 0.0058, 0.0098);
        color += band * vec3(0.012, 0.017, 0.032) * smoothstep(0.25, 0.75, n.z);
        color += band * vec3(0.024, 0.014, 0.028) * pow(smoothstep(0.35, 0.8, n.w), 2.0);
        float toSun = max(dot(d, sun), 0.0);
        color += vec3(1.0, 0.93, 0.82) * (smoothstep(0.99985, 0.99993, toSun) * 40.0 + pow(toSun, 900.0) * 1.6 + pow(toSun, 60.0) * 0.09);
        gl_FragColor = vec4(color, 1.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,
    side: THREE.BackSide,
    depthWrite: false,
  });
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 16), material);
  mesh.renderOrder = -30;
  return mesh;
}

function makeStars(): THREE.Points {
  // A fixed seed: the sky is the same each time.
  let seed = 7;
  const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
  const position = new Float32Array(starCount * 3);
  const color = new Float32Array(starCount * 3);
  const size = new Float32Array(starCount);
  const at = new THREE.Vector3();
  const axis = new THREE.Vector3(0.35, 0.78, 0.52).normalize();
  for (let i = 0; i < starCount; ++i) {
    at.set(chance() * 2 - 1, chance() * 2 - 1, chance() * 2 - 1).normalize();
    if (i % 5 < 2) at.addScaledVector(axis, -at.dot(axis) * 0.86).normalize(); // the band of the galaxy
    at.toArray(position, i * 3);
    const bright = chance() ** 7;
    const warmth = chance();
    size[i] = 1 + 2.1 * bright;
    const power = 0.2 + 0.8 * bright;
    color.set([power * (0.78 + 0.22 * warmth), power * 0.88, power * (1 - 0.2 * warmth)], i * 3);
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute('position', new THREE.BufferAttribute(position, 3));
  geometry.setAttribute('color', new THREE.BufferAttribute(color, 3));
  geometry.setAttribute('size', new THREE.BufferAttribute(size, 1));
  const material = new THREE.ShaderMaterial({
    uniforms: { pixels: { value: 1 } },
    vertexShader: `attribute float size; attribute vec3 color; varying vec3 vColor; uniform float pixels;
      void main() {
        vColor = color;
        gl_Position = (projectionMatrix * vec4(mat3(modelViewMatrix) * position, 1.0)).xyww;
        gl_PointSize = size * pixels * 1.35;
      }`,
    fragmentShader: `varying vec3 vColor;
      void main() {
        float r = length(gl_PointCoord - 0.5) * 2.0;
        gl_FragColor = vec4(vColor * smoothstep(1.0, 0.15, r), 1.0);
      }`,
    blending: THREE.AdditiveBlending,
    transparent: true,
    depthWrite: false,
  });
  const stars = new THREE.Points(geometry, material);
  stars.frustumCulled = false;
  stars.renderOrder = -20;
  return stars;
}

function makePlanet(texture: THREE.Texture): THREE.Mesh {
  const material = new THREE.ShaderMaterial({
    uniforms: {
      baked: { value: texture }, sun: { value: sunDirection }, middle: { value: planetDirection },
      radius: { value: planetRadius },
    },
    // A quad towards the planet; the sphere is found by a ray.
    vertexShader: `uniform vec3 middle; varying vec3 vDirection;
      void main() {
        vec3 side = normalize(cross(middle, vec3(0.0, 1.0, 0.0)));
        vec3 up = cross(side, middle);
        vDirection = middle * 0.75 + (side * position.x + up * position.y) * 0.95;
        gl_Position = (projectionMatrix * vec4(mat3(viewMatrix) * vDirection, 1.0)).xyww;
      }`,
    fragmentShader: `varying vec3 vDirection; uniform vec3 middle, sun; uniform float radius; uniform sampler2D baked;
      ${hash}
      void main() {
        vec3 d = normalize(vDirection);
        float along = dot(d, middle);
        float near2 = 1.0 - along * along;          // squared distance of the ray from the middle
        float miss = sqrt(max(near2, 0.0)) - radius; // beyond the limb, in planet distances
        float rim = exp(-max(miss, 0.0) * 62.0);
        vec3 limb = normalize(d * along - middle);
        float day = smoothstep(-0.3, 0.6, dot(limb, sun));
        vec3 air = vec3(0.24, 0.50, 1.0);
        if (miss > 0.0) {
          gl_FragColor = vec4(air * rim * rim * (0.02 + 0.85 * day), 0.0);
        } else {
          vec3 hit = d * (along - sqrt(max(radius * radius - near2, 0.0)));
          vec3 normal = (hit - middle) / radius;
          vec3 p = normal;
          vec2 at = vec2(atan(p.z, p.x) / 6.2831853 + 0.5, asin(clamp(p.y, -1.0, 1.0)) / 3.14159265 + 0.5);
          vec4 n = textureLod(baked, at, 0.0);
          float land = smoothstep(0.5, 0.56, n.x);
          vec3 ground = mix(vec3(0.012, 0.035, 0.085), mix(vec3(0.07, 0.075, 0.055), vec3(0.16, 0.13, 0.095), n.w), land);
          float cover = smoothstep(0.42, 0.68, n.y);
          float sunlight = dot(normal, sun);
          float lit = smoothstep(-0.12, 0.55, sunlight);
          vec3 color = mix(ground, vec3(0.62, 0.66, 0.72), cover * 0.85) * lit;
          color += (1.0 - cover) * (1.0 - land) * vec3(0.5, 0.6, 0.7) * pow(max(dot(reflect(-sun, normal), -d), 0.0), 40.0) * lit;
          float grazing = 1.0 - max(dot(normal, -d), 0.0);
          color += air * pow(grazing, 3.2) * (0.02 + 0.75 * smoothstep(-0.25, 0.5, sunlight));
          color += vec3(0.6, 0.27, 0.1) * (0.25 + grazing) * exp(-pow((sunlight - 0.02) * 9.0, 2.0)) * 0.16;
          vec3 grid = normal * 150.0;
          float town = smoothstep(0.42, 0.05, length(fract(grid) - 0.5)) * step(0.8, hash(floor(grid)));
          float cities = land * (1.0 - cover) * town * smoothstep(0.42, 0.62, n.w);
          color += vec3(1.0, 0.66, 0.3) * cities * smoothstep(0.05, -0.15, sunlight) * 0.5;
          gl_FragColor = vec4(color * 1.15, 1.0);
        }
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
      }`,
    transparent: true,
    blending: THREE.CustomBlending,
    blendSrc: THREE.OneFactor,
    blendDst: THREE.OneMinusSrcAlphaFactor, // alpha 1 on the disc hides stars; 0 around it adds light
    depthWrite: false,
  });
  const planet = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), material);
  planet.frustumCulled = false;
  planet.renderOrder = -10;
  return planet;
}

export class Sky {
  readonly group = new THREE.Group();
  readonly #baked: THREE.WebGLRenderTarget;
  readonly #stars: THREE.Points;

  constructor(renderer: THREE.WebGLRenderer, withPlanet = true) {
    this.#baked = bakeNoise(renderer);
    this.#stars = makeStars();
    (this.#stars.material as THREE.ShaderMaterial).uniforms['pixels']!.value = renderer.getPixelRatio();
    this.group.add(makeBackdrop(this.#baked.texture), this.#stars);
    if (withPlanet) this.group.add(makePlanet(this.#baked.texture));
    this.group.traverse((each) => (each.matrixAutoUpdate = false)); // it is at the origin, and stays there
  }

  dispose(): void {
    this.#baked.dispose();
    this.group.traverse((each) => {
      if (!(each instanceof THREE.Mesh || each instanceof THREE.Points)) return;
      each.geometry.dispose();
      (each.material as THREE.Material).dispose();
    });
  }
}
