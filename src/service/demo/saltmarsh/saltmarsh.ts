import type { CompanyPlan } from '../plan';
import { append, set } from '../configEdits';
import { registryModule, typedComponent } from '../configParts';
import { NOTHING_PUBLISHED } from '../registryPlan';
import { saltmarshCaptures } from './captures';
import { fieldGateway } from './fieldGateway';
import { roverDrive } from './roverDrive';
import { cellarMonitor, weatherMasts } from './stations';
import { boatAndBuoys, rovs } from './survey';
import { surveyPayload } from './surveyPayload';
import { rovers } from './vineyard';

const TAB = '\t';

/**
 * Company with robots for fields and coasts: few robots of each kind, in remote locations, with
 * configs edited by hand.
 */
export const saltmarsh: CompanyPlan = {
  name: 'Saltmarsh Field Robotics',
  namespace: 'saltmarsh',
  daysAgo: 63,
  utcOffsetHours: 0,
  indent: TAB,
  metadata: { head_office: 'Rua do Estaleiro 21, Setúbal', vat_number: 'PT-DEMO-0001' },
  keyNames: { engineers: 'Field laptop', pipeline: 'Build server' },
  people: [
    { email: 'ines@saltmarsh.example', role: 'owner', invitedDaysAgo: 62, lastLoginDaysAgo: 2 },
    {
      email: 'harvest@ribeira-clara.example',
      role: 'operator',
      location: 'Douro Vineyards',
      invitedDaysAgo: 5,
    },
  ],
  keys: [{ name: 'Buoy watcher', role: 'operator', daysAgo: 20 }],
  shares: [],
  fragments: [fieldGateway, roverDrive, surveyPayload],
  locations: [
    {
      name: 'Douro Vineyards',
      metadata: { contract: 'canopy_2026', nearest_town: 'Pinhão' },
      locations: [
        {
          name: 'Quinta da Ribeira Clara',
          metadata: { gate_code_in_vault: true, hectares: 31 },
          locations: [
            { name: 'Upper Terraces', machines: rovers('upper') },
            { name: 'Lower Terraces', machines: rovers('lower') },
          ],
          machines: [cellarMonitor],
        },
        { name: 'Weather Masts', machines: weatherMasts },
      ],
    },
    {
      name: 'Survey Vessel Garça',
      metadata: { call_sign: 'CTZ9', home_port: 'Setúbal' },
      locations: [
        { name: 'Aft Deck', locations: [{ name: 'ROV Hangar', machines: rovs }] },
        { name: 'On Station', machines: boatAndBuoys },
      ],
    },
    {
      name: 'Setúbal Workshop',
      machines: [
        {
          name: 'thruster_test_stand',
          daysAgo: 38,
          main: {
            contact: { daysAgo: 16 },
            config: () => ({
              components: [
                typedComponent('motor', 'under_test', 'saltmarsh:ocean:thruster', { pin: 6 }),
                typedComponent('sensor', 'load_cell', 'saltmarsh:power:hx711', {
                  newton_per_count: 0.00231,
                }),
              ],
              modules: [registryModule('saltmarsh:ocean', '0.11.0')],
            }),
            edits: [
              {
                daysAgo: 28,
                change: set('components.load_cell.attributes.newton_per_count', 0.002287),
              },
              {
                daysAgo: 19,
                change: append('modules', registryModule('saltmarsh:power', '0.5.1')),
              },
            ],
          },
        },
      ],
    },
  ],
  captures: saltmarshCaptures,
  published: NOTHING_PUBLISHED,
};
