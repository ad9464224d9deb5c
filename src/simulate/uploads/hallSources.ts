import type { CaptureSource } from './partUploads';

/** Camera that is directed at the warehouse floor. */
export const HALL_CAMERA: CaptureSource = {
  componentType: 'rdk:component:camera',
  componentName: 'hall-camera',
  methodName: 'GetImages',
};

/** Scanner that measures the warehouse. */
export const HALL_SCANNER: CaptureSource = {
  componentType: 'rdk:component:camera',
  componentName: 'hall-scanner',
  methodName: 'NextPointCloud',
};
