import type { CaptureSource } from './partUploads';

/** The camera that looks into the hall. */
export const HALL_CAMERA: CaptureSource = {
  componentType: 'rdk:component:camera',
  componentName: 'hall-camera',
  methodName: 'GetImages',
};

/** The scanner that measures it. */
export const HALL_SCANNER: CaptureSource = {
  componentType: 'rdk:component:camera',
  componentName: 'hall-scanner',
  methodName: 'NextPointCloud',
};
