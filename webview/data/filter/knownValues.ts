import type { Completions } from '../../../src/shared/data/filterMessages';

/** Content types that are common on robots; users can also type other types. */
export const mimeTypes = [
  'application/json',
  'application/octet-stream',
  'application/pdf',
  'application/zip',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/webp',
  'pointcloud/pcd',
  'text/csv',
  'text/plain',
  'video/mp4',
] as const;

/** Component types that capture data. */
export const componentTypes = [
  'rdk:component:arm',
  'rdk:component:base',
  'rdk:component:board',
  'rdk:component:camera',
  'rdk:component:encoder',
  'rdk:component:gantry',
  'rdk:component:gripper',
  'rdk:component:motor',
  'rdk:component:movement_sensor',
  'rdk:component:power_sensor',
  'rdk:component:sensor',
  'rdk:component:servo',
  'rdk:service:slam',
  'rdk:service:vision',
] as const;

/** Methods that can be captured. */
export const methods = [
  'AngularVelocity',
  'CaptureAllFromCamera',
  'CompassHeading',
  'EndPosition',
  'GetImages',
  'JointPositions',
  'LinearAcceleration',
  'LinearVelocity',
  'NextPointCloud',
  'Orientation',
  'PointCloudMap',
  'Position',
  'Power',
  'ReadImage',
  'Readings',
  'TicksCount',
] as const;

/** Returns a function that finds the values that contain the given text, ignoring case. */
export function completeFrom(values: readonly string[]): (text: string) => Promise<Completions> {
  return (text) => {
    const wanted = text.trim().toLowerCase();
    const found = values.filter((value) => value.toLowerCase().includes(wanted));
    return Promise.resolve({ values: found, more: false });
  };
}
