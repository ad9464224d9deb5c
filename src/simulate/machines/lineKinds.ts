import type { Random } from '../random';

export type LineLevel = 'debug' | 'info' | 'warn' | 'error';

/** Contents of a log line. */
export interface LineContent {
  message: string;
  fields?: Record<string, string | number>;
}

/** A kind of log line, and its relative frequency on its machine. */
export interface LineKind {
  weight: number;
  level: LineLevel;
  loggerName: string;
  /**
   * Type of component that logs this kind of line. Machines without such a component don't log it.
   */
  component?: string;
  say: (random: Random) => LineContent;
}

const KINDS: readonly LineKind[] = [
  {
    weight: 40,
    level: 'debug',
    loggerName: 'rdk.component.drive',
    component: 'motor',
    say: (random) => {
      const rpm = random.wholeBetween(0, 1800);
      return { message: `drive at ${String(rpm)} rpm`, fields: { rpm } };
    },
  },
  {
    weight: 30,
    level: 'info',
    loggerName: 'rdk.service.mission',
    component: 'base',
    say: (random) => {
      const order = `A-${String(random.wholeBetween(1000, 9999))}`;
      return { message: `order ${order} picked up`, fields: { order } };
    },
  },
  {
    weight: 15,
    level: 'info',
    loggerName: 'rdk.component.arm',
    component: 'arm',
    say: (random) => {
      const layer = random.wholeBetween(1, 6);
      return { message: `layer ${String(layer)} is stacked`, fields: { layer } };
    },
  },
  {
    weight: 8,
    level: 'debug',
    loggerName: 'rdk.component.sensor',
    component: 'sensor',
    say: (random) => {
      const milliseconds = random.wholeBetween(2, 60);
      const message = `readings taken in ${String(milliseconds)} ms`;
      return { message, fields: { milliseconds } };
    },
  },
  {
    weight: 6,
    level: 'info',
    loggerName: 'rdk.component.power',
    component: 'power_sensor',
    say: (random) => {
      const percent = random.wholeBetween(22, 98);
      return { message: `battery at ${String(percent)} %`, fields: { percent } };
    },
  },
  {
    weight: 6,
    level: 'debug',
    loggerName: 'rdk.component.movement',
    component: 'movement_sensor',
    say: (random) => {
      const satellites = random.wholeBetween(5, 19);
      const message = `position with ${String(satellites)} satellites`;
      return { message, fields: { satellites } };
    },
  },
  {
    weight: 12,
    level: 'info',
    loggerName: 'rdk.data_sync',
    say: (random) => {
      const files = random.wholeBetween(1, 40);
      return { message: `${String(files)} captured files are synced`, fields: { files } };
    },
  },
  {
    weight: 6,
    level: 'warn',
    loggerName: 'rdk.component.camera',
    component: 'camera',
    say: (random) => {
      const milliseconds = random.wholeBetween(200, 2500);
      return { message: `the image took ${String(milliseconds)} ms`, fields: { milliseconds } };
    },
  },
  {
    weight: 2,
    level: 'error',
    loggerName: 'rdk.component.gripper',
    component: 'gripper',
    say: (random) => ({
      message: 'the gripper does not close: force limit reached',
      fields: { newtons: random.wholeBetween(60, 90) },
    }),
  },
  {
    weight: 1,
    level: 'warn',
    loggerName: 'rdk.networking',
    say: (random) => {
      const milliseconds = random.wholeBetween(400, 3000);
      const message = `the fleet service answered after ${String(milliseconds)} ms`;
      return { message, fields: { milliseconds } };
    },
  },
];

/**
 * Returns the kinds of lines that a machine logs.
 * @param components types of the machine's components. A machine without components is generic and
 *   logs all kinds of lines.
 */
export function getLineKinds(components: ReadonlySet<string>): readonly LineKind[] {
  return components.size === 0
    ? KINDS
    : KINDS.filter(({ component }) => component === undefined || components.has(component));
}
