const SIZE = 8;

type DrawPattern = (context: CanvasRenderingContext2D) => void;

/** Fill patterns of bars, which distinguish series without relying on color. */
const PATTERNS: readonly DrawPattern[] = [
  (context) => context.fillRect(0, 0, SIZE, SIZE),
  (context) =>
    stroke(context, [0, SIZE, SIZE, 0], [-1, 1, 1, -1], [SIZE - 1, SIZE + 1, SIZE + 1, SIZE - 1]),
  (context) => stroke(context, [0, SIZE / 2, SIZE, SIZE / 2]),
  (context) => context.fillRect(2, 2, 3, 3),
  (context) => stroke(context, [SIZE / 2, 0, SIZE / 2, SIZE]),
  (context) => stroke(context, [0, SIZE / 2, SIZE, SIZE / 2], [SIZE / 2, 0, SIZE / 2, SIZE]),
];

/** Returns the fill of a series' bars. */
export function barFill(series: number, color: string): CanvasPattern | string {
  const canvas = document.createElement('canvas');
  canvas.width = SIZE;
  canvas.height = SIZE;
  const context = canvas.getContext('2d');
  if (!context) return color;
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineWidth = 2;
  PATTERNS[series % PATTERNS.length]?.(context);
  return context.createPattern(canvas, 'repeat') ?? color;
}

function stroke(
  context: CanvasRenderingContext2D,
  ...lines: readonly (readonly [number, number, number, number])[]
): void {
  context.beginPath();
  for (const [x1, y1, x2, y2] of lines) {
    context.moveTo(x1, y1);
    context.lineTo(x2, y2);
  }
  context.stroke();
}
