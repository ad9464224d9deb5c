type DrawMarker = (path: Path2D, x: number, y: number, radius: number) => void;

/** Point shapes, which distinguish clouds without relying on color. */
const MARKERS: readonly DrawMarker[] = [
  disc,
  (path, x, y, radius) => path.rect(x - radius, y - radius, 2 * radius, 2 * radius),
  (path, x, y, radius) => polygon(path, corners(3, -Math.PI / 2), x, y, radius * 1.2),
  (path, x, y, radius) => polygon(path, corners(4, 0), x, y, radius * 1.2),
  (path, x, y, radius) => polygon(path, corners(3, Math.PI / 2), x, y, radius * 1.2),
  (path, x, y, radius) => polygon(path, corners(5, -Math.PI / 2), x, y, radius * 1.2),
  (path, x, y, radius) => {
    path.rect(x - radius, y - radius / 3, 2 * radius, (2 * radius) / 3);
    path.rect(x - radius / 3, y - radius, (2 * radius) / 3, 2 * radius);
  },
];

/** Returns the function that draws a series' points. */
export function getMarker(series: number): DrawMarker {
  return MARKERS[series % MARKERS.length] ?? disc;
}

function disc(path: Path2D, x: number, y: number, radius: number): void {
  path.moveTo(x + radius, y);
  path.arc(x, y, radius, 0, 2 * Math.PI);
}

function corners(count: number, from: number): readonly (readonly [number, number])[] {
  return Array.from({ length: count }, (_, corner) => {
    const angle = from + (corner * 2 * Math.PI) / count;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
}

function polygon(
  path: Path2D,
  at: readonly (readonly [number, number])[],
  x: number,
  y: number,
  radius: number,
): void {
  at.forEach(([right, down], corner) => {
    if (corner === 0) path.moveTo(x + right * radius, y + down * radius);
    else path.lineTo(x + right * radius, y + down * radius);
  });
  path.closePath();
}
