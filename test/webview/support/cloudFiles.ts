import { hallScan } from '../../../src/simulate/clouds/hallScan';
import { encodePcd, type PcdEncoding, type PointDetail } from '../../../src/simulate/clouds/pcd';
import { Random } from '../../../src/simulate/random';

interface HallOptions {
  readonly encoding?: PcdEncoding;
  readonly detail?: PointDetail;
  readonly points?: number;
}

/** Returns a PCD file of a scanner's view of a hall; always returns the same content. */
export function hallFile({
  encoding = 'binary',
  detail = 'rgb',
  points = 1_000,
}: HallOptions = {}): Uint8Array<ArrayBuffer> {
  return new Uint8Array(encodePcd(hallScan(new Random('hall'), points, detail), encoding));
}

/** Returns a file with a changed header, which can have a different size. */
export function withHeader(
  file: Uint8Array,
  from: string | RegExp,
  to: string,
): Uint8Array<ArrayBuffer> {
  const end = headerEnd(file);
  const header = Buffer.from(file.subarray(0, end)).toString('latin1').replace(from, to);
  return new Uint8Array(Buffer.concat([Buffer.from(header, 'latin1'), file.subarray(end)]));
}

/** Returns the offset at which the points start. */
export function headerEnd(file: Uint8Array): number {
  const bytes = Buffer.from(file);
  return bytes.indexOf('\n', bytes.indexOf('\nDATA ') + 1) + 1;
}

/** Returns a PCD file in text form with the given lines; its fields are x, y, and z by default. */
export function textFile(
  lines: readonly string[],
  { fields = 'x y z', points = lines.length, end = '\n' } = {},
): Uint8Array<ArrayBuffer> {
  const each = (value: string): string =>
    fields
      .split(' ')
      .map(() => value)
      .join(' ');
  const header = [
    ...['VERSION .7', `FIELDS ${fields}`, `SIZE ${each('4')}`, `TYPE ${each('F')}`],
    ...[`COUNT ${each('1')}`, `WIDTH ${points}`, 'HEIGHT 1', `POINTS ${points}`, 'DATA ascii'],
  ];
  return new Uint8Array(new TextEncoder().encode([...header, ...lines].join('\n') + end));
}
