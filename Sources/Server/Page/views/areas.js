// Areas of a picture: corners from 0 to 1. Pure.

/// A coordinate within the picture, with the four digits that the configuration keeps.
export const rounded = (value) => Math.round(Math.min(1, Math.max(0, value)) * 10_000) / 10_000;

/// How far the nearest of some corners is.
export const nearestCorner = (corners, [x, y]) => Math.min(...corners.map((corner) => Math.hypot(corner[0] - x, corner[1] - y)));

const side = (a, b, c) => Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));

/// Whether an outline crosses itself.
export function isCrossing(corners) {
  const count = corners.length;
  for (let i = 0; i < count; i += 1) {
    for (let j = i + 2; j < count; j += 1) {
      if (i === 0 && j === count - 1) continue;
      const [a, b, c, d] = [corners[i], corners[i + 1], corners[j], corners[(j + 1) % count]];
      if (side(a, b, c) !== side(a, b, d) && side(c, d, a) !== side(c, d, b)) return true;
    }
  }
  return false;
}

/// The lines of vigil.yaml.
export function areaLines(camera, areas) {
  const lines = ['cameras:', `  ${camera}:`];
  for (const [kind, key] of [['zone', 'zones'], ['mask', 'masks']]) {
    const of = areas.filter((area) => area.kind === kind);
    if (!of.length) continue;
    lines.push(`    ${key}:`);
    for (const { name, corners } of of) lines.push(`      ${name}: [ ${corners.map(([x, y]) => `[${x}, ${y}]`).join(', ')} ]`);
  }
  return lines.join('\n');
}
