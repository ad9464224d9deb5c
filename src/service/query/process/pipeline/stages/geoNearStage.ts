import type { Expressions } from '../expressions';
import { stageError, type RunStage, type Stage } from '../stage';
import {
  collect,
  type Document,
  isDocument,
  parseFieldPath,
  valueAt,
  withValueAt,
} from '../document';
import { afterAll, checked, parseOptions, requireDocument } from './stageCompiler';

/** Radius of the earth that MongoDB uses, in meters. */
const EARTH_METERS = 6_378_100;

/** Longitude and latitude, in degrees. */
type Coordinates = readonly [number, number];

interface Nearness {
  near: Coordinates;
  /** Path of each document's location. */
  key: readonly string[];
  distance: (from: Coordinates, to: Coordinates) => number;
  min: number;
  max: number;
  multiplier: number;
  distanceField: readonly string[] | undefined;
  locationField: readonly string[] | undefined;
}

/**
 * `$geoNear`: sorts documents by their distance from a location, nearest first. `key` is the path
 * of each document's location, which is GeoJSON, `[longitude, latitude]`, or a document with two
 * numbers. The numbers in such a document are identified by their names or by the same order. Omits
 * documents without a location.
 */
export function geoNearStage(stage: Stage, expressions: Expressions): RunStage {
  const options = parseOptions(stage, {
    known: [
      ...['near', 'key', 'distanceField', 'spherical', 'minDistance', 'maxDistance'],
      ...['query', 'distanceMultiplier', 'includeLocs'],
    ],
    required: ['near'],
  });
  if (stage.position > 1) throw stageError(stage, 'it can only be the first stage');
  const nearness = parseNearness(stage, options);
  const condition = requireDocument(stage, options.query ?? {}, 'query');
  const test = checked(stage, () => expressions.test(condition));
  return afterAll(stage, async (input) => {
    const documents = (await collect(input)).filter(test);
    return documents
      .flatMap((document) => {
        const found = located(document, nearness);
        return found === undefined ? [] : [found];
      })
      .toSorted((left, right) => left.distance - right.distance)
      .map(({ document }) => document);
  });
}

function located(
  document: Document,
  { near, key, distance, min, max, multiplier, distanceField, locationField }: Nearness,
): { document: Document; distance: number } | undefined {
  const value = valueAt(document, key);
  const point = toCoordinates(value);
  const away = point === undefined ? NaN : distance(near, point);
  if (!(away >= min && away <= max)) return undefined;
  const withDistance =
    distanceField === undefined
      ? document
      : withValueAt(document, distanceField, away * multiplier);
  return {
    document:
      locationField === undefined ? withDistance : withValueAt(withDistance, locationField, value),
    distance: away,
  };
}

function parseNearness(stage: Stage, options: Document): Nearness {
  const {
    near,
    spherical,
    distanceMultiplier = 1,
    minDistance = 0,
    maxDistance = Infinity,
  } = options;
  const point = toCoordinates(near);
  if (point === undefined) {
    throw stageError(
      stage,
      'near must be a point, such as {"type": "Point", "coordinates": [longitude, latitude]}',
    );
  }
  if (options.key === undefined) {
    throw stageError(
      stage,
      'readings have no geospatial index: specify the field with the position in key, such as ' +
        '"data.readings.position"',
    );
  }
  const numbers = [distanceMultiplier, minDistance, maxDistance];
  if (!numbers.every((value) => typeof value === 'number' && value >= 0)) {
    throw stageError(stage, 'distanceMultiplier, minDistance, and maxDistance must be numbers');
  }
  const isGeoJson = isDocument(near) && 'coordinates' in near;
  const radius = isGeoJson ? EARTH_METERS : 1;
  const isSpherical = isGeoJson || spherical === true;
  return {
    near: point,
    key: parseField(stage, options.key, 'key') ?? [],
    distance: isSpherical ? (from, to) => radius * angle(from, to) : flatDistance,
    min: Number(minDistance),
    max: Number(maxDistance),
    multiplier: Number(distanceMultiplier),
    distanceField: parseField(stage, options.distanceField, 'distanceField'),
    locationField: parseField(stage, options.includeLocs, 'includeLocs'),
  };
}

function parseField(stage: Stage, value: unknown, what: string): string[] | undefined {
  if (value !== undefined && typeof value !== 'string') {
    throw stageError(stage, `${what} must name a field`);
  }
  return value === undefined ? undefined : checked(stage, () => parseFieldPath(value));
}

function toCoordinates(value: unknown): Coordinates | undefined {
  const isGeoJson = isDocument(value) && 'coordinates' in value;
  if (isGeoJson && value.type !== 'Point') return undefined;
  const source = isGeoJson ? value.coordinates : value;
  const pair: unknown[] = Array.isArray(source)
    ? source
    : isDocument(source)
      ? getCoordinateValues(source)
      : [];
  const [longitude, latitude] = pair;
  return typeof longitude === 'number' && typeof latitude === 'number' && pair.length === 2
    ? [longitude, latitude]
    : undefined;
}

const LONGITUDES = ['longitude', 'lng', 'lon', 'long'];
const LATITUDES = ['latitude', 'lat'];

function getCoordinateValues(point: Document): unknown[] {
  const named = [LONGITUDES, LATITUDES].map((names) => names.find((name) => name in point));
  const [longitude, latitude] = named;
  return longitude === undefined || latitude === undefined
    ? Object.values(point)
    : [point[longitude], point[latitude]];
}

/** Returns the angle between two locations as seen from the earth's center, in radians. */
function angle([longitude1, latitude1]: Coordinates, [longitude2, latitude2]: Coordinates): number {
  const [lat1, lat2] = [radians(latitude1), radians(latitude2)];
  const halfChord =
    Math.sin((lat2 - lat1) / 2) ** 2 +
    Math.cos(lat1) * Math.cos(lat2) * Math.sin(radians(longitude2 - longitude1) / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(halfChord)));
}

function flatDistance([x1, y1]: Coordinates, [x2, y2]: Coordinates): number {
  return Math.hypot(x2 - x1, y2 - y1);
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
