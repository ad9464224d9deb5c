import { set } from '../configEdits';
import { capture, registryModule, typedComponent, variable } from '../configParts';
import type { FragmentPlan } from '../plan';

/** Payload of survey boats and vehicles. */
export const surveyPayload: FragmentPlan = {
  key: 'survey_payload',
  name: 'survey_payload',
  daysAgo: 56,
  config: () => ({
    components: [
      typedComponent(
        'sensor',
        'ctd',
        'saltmarsh:ocean:ctd',
        { serial_path: variable('ctd_port'), baud: 9600 },
        capture('Readings', 4),
      ),
      typedComponent(
        'camera',
        'sonar',
        'saltmarsh:ocean:multibeam',
        { host: variable('sonar_host'), beams: 256, sound_speed: 'from_ctd', range_m: 60 },
        { depends_on: ['ctd'], ...capture('NextPointCloud', 2) },
      ),
    ],
    modules: [registryModule('saltmarsh:ocean', '0.11.0')],
  }),
  edits: [
    { daysAgo: 39, change: set('components.sonar.attributes.range_m', 90) },
    { daysAgo: 13, by: 'pipeline', change: set('modules.saltmarsh_ocean.version', '0.12.3') },
  ],
};
