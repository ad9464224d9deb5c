import { getOwn } from '../../base/getOwn';
import type { DataShape } from '../query/queryJob';
import type { LakeFileRow } from '../store/data/dataSchema';

/**
 * Cache of the organizations' shapes, because reading the shapes of all files takes a long time.
 */
export class OrganizationShapes {
  private readonly known = new Map<string, { files: ReadonlySet<string>; shape: DataShape }>();

  /**
   * Returns the merged shape of all files. The shape can include fields that only deleted files
   * contained.
   */
  of(organizationId: string, files: readonly LakeFileRow[]): DataShape {
    const known = this.known.get(organizationId);
    const added = files.filter(({ name }) => known?.files.has(name) !== true);
    if (known !== undefined && added.length === 0) return known.shape;
    const merged = added
      .map((file) => JSON.parse(file.shape) as DataShape)
      .reduce((all, next) => mergeShapes(all, next), known?.shape ?? 'NULL');
    const shape = boundedShape(merged);
    this.known.set(organizationId, { files: new Set(files.map(({ name }) => name)), shape });
    return shape;
  }

  get size(): number {
    return this.known.size;
  }

  remove(organizationId: string): void {
    this.known.delete(organizationId);
  }
}

/** Type for values whose types vary. */
const MIXED = 'JSON';
const UNKNOWN = 'NULL';
const NUMBER = 'DOUBLE';
const NUMBERS = /^(U?BIGINT|HUGEINT|DOUBLE)$/;

/**
 * Maximum number of members to describe. In a larger object, the keys are data, so the members
 * aren't described individually.
 */
const MAX_MEMBERS = 10_000;
/**
 * Smaller limits on the number of members. They are tried one after another if the whole shape is
 * too large.
 */
const FEWER_MEMBERS = [1000, 100, 10];

/** Maximum length of a shape in characters. Larger shapes aren't worth reading with every query. */
const MAX_CHARS = 1024 * 1024;

/** Returns a shape. If it is too large, omits the members in its largest objects. */
export function boundedShape(shape: DataShape): DataShape {
  const isSmall = (candidate: DataShape): boolean => JSON.stringify(candidate).length <= MAX_CHARS;
  if (isSmall(shape)) return shape;
  const smaller = FEWER_MEMBERS.map((maxMembers) => simplified(shape, maxMembers));
  return smaller.find(isSmall) ?? MIXED;
}

/**
 * Merges two shapes into one that describes the values of both. All numbers have one type, as in
 * the wire protocol.
 */
export function mergeShapes(a: DataShape | undefined, b: DataShape): DataShape {
  if (a === undefined || a === UNKNOWN) return simplified(b);
  if (b === UNKNOWN) return simplified(a);
  if (typeof a === 'string' || typeof b === 'string') return mergeScalars(a, b);
  if (isArray(a) || isArray(b)) return isArray(a) && isArray(b) ? [mergeShapes(a[0], b[0])] : MIXED;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (names.size > MAX_MEMBERS) return MIXED;
  return Object.fromEntries(
    [...names].map((name) => [
      name,
      mergeShapes(getOwn(a, name) ?? UNKNOWN, getOwn(b, name) ?? UNKNOWN),
    ]),
  );
}

function mergeScalars(a: DataShape, b: DataShape): DataShape {
  if (typeof a !== 'string' || typeof b !== 'string') return MIXED;
  if (NUMBERS.test(a) && NUMBERS.test(b)) return NUMBER;
  return a === b ? a : MIXED;
}

function simplified(shape: DataShape, maxMembers = MAX_MEMBERS): DataShape {
  if (typeof shape === 'string') return NUMBERS.test(shape) ? NUMBER : shape;
  if (isArray(shape)) return [simplified(shape[0], maxMembers)];
  const members = Object.entries(shape);
  return members.length > maxMembers
    ? MIXED
    : Object.fromEntries(members.map(([name, member]) => [name, simplified(member, maxMembers)]));
}

function isArray(shape: DataShape): shape is readonly [DataShape] {
  return Array.isArray(shape);
}
