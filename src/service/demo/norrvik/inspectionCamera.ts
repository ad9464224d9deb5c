import { FragmentVisibility } from '../../../gen/viam/app/v1/fragment_pb';
import {
  capture,
  component,
  registryModule,
  service,
  set,
  together,
  variable,
} from '../configParts';
import type { FragmentPlan } from '../plan';

/** Camera above a conveyor that reads and inspects passing items. */
export const inspectionCamera: FragmentPlan = {
  key: 'inspection-camera',
  name: 'inspection-camera',
  daysAgo: 70,
  shared: { daysAgo: 34, visibility: FragmentVisibility.PUBLIC },
  config: () => ({
    components: [
      component(
        'camera',
        'camera',
        'norrvik:gige-camera:area-scan',
        {
          serial_number: variable('camera-serial'),
          width_px: 2048,
          height_px: 1536,
          exposure_us: variable('exposure-us'),
          pixel_format: 'BayerRG8',
        },
        capture('ReadImage', 0.2, { mime_type: 'image/jpeg' }),
      ),
      component(
        'camera',
        'cropped',
        'rdk:builtin:transform',
        {
          source: 'camera',
          pipeline: [
            {
              type: 'crop',
              attributes: { x_min_px: 256, y_min_px: 0, x_max_px: 1792, y_max_px: 1536 },
            },
          ],
        },
        { depends_on: ['camera'] },
      ),
    ],
    services: [
      service('mlmodel', 'defect-model', 'norrvik:onnx:cpu', {
        model_path: '${packages.ml_model.carton-defects}/model.onnx',
        label_path: '${packages.ml_model.carton-defects}/labels.txt',
        num_threads: 4,
      }),
      service('vision', 'defects', 'rdk:builtin:mlmodel', {
        mlmodel_name: 'defect-model',
        default_minimum_confidence: 0.7,
        camera_name: 'cropped',
      }),
    ],
    modules: [
      registryModule('norrvik:gige-camera', '0.9.4'),
      registryModule('norrvik:onnx', '2.1.0'),
    ],
    packages: [
      {
        name: 'carton-defects',
        package: 'norrvik/carton-defects',
        type: 'ml_model',
        version: '2026-08-19T09-30-00',
      },
    ],
  }),
  edits: [
    {
      daysAgo: 38,
      change: set('services.defects.attributes.default_minimum_confidence', 0.62),
    },
    {
      daysAgo: 12,
      by: 'pipeline',
      change: together(
        set('packages.carton-defects.version', '2026-10-30T14-05-00'),
        set('modules.norrvik_gige-camera.version', '0.10.1'),
      ),
    },
  ],
};
