import type { CompanyPlan } from '../plan';
import { amrBase } from './amrBase';
import { norrvikCaptures } from './captures';
import { conveyor } from './conveyor';
import { edgeComputer } from './edgeComputer';
import { inspectionCamera } from './inspectionCamera';
import { benches } from './lab';
import { palletizerCell } from './palletizerCell';
import { palletizingLines } from './palletizingLines';
import { norrvikPublished } from './published';
import { chargers, trucks } from './warehouse';

const TAB_WIDTH = 2;

/** Factory automation company with many similar machines, which share fragments. */
export const norrvik: CompanyPlan = {
  name: 'Norrvik Automation',
  namespace: 'norrvik',
  daysAgo: 76,
  utcOffsetHours: 1,
  indent: TAB_WIDTH,
  metadata: {
    head_office: 'Norra Varvskajen 9, Göteborg',
    support_email: 'fleet@norrvik.example',
    erp_tenant: 'NRV-SE',
  },
  keyNames: { engineers: 'Commissioning engineers', pipeline: 'Release pipeline' },
  people: [
    { email: 'signe.lund@norrvik.example', role: 'owner', invitedDaysAgo: 75, lastLoginDaysAgo: 1 },
    {
      email: 'omar.haddad@norrvik.example',
      role: 'operator',
      invitedDaysAgo: 60,
      lastLoginDaysAgo: 3,
    },
    {
      email: 'elin.berg@norrvik.example',
      role: 'owner',
      location: 'Application Lab',
      invitedDaysAgo: 41,
      lastLoginDaysAgo: 8,
    },
    {
      email: 'night.shift@norrvik.example',
      role: 'operator',
      location: 'Palletizing Hall',
      invitedDaysAgo: 2,
    },
  ],
  keys: [
    { name: 'Hall dashboard', role: 'operator', location: 'Palletizing Hall', daysAgo: 33 },
    { name: 'Lab scripts', role: 'owner', location: 'Application Lab', daysAgo: 19 },
  ],
  shares: [{ location: 'Application Lab', with: 'Saltmarsh Field Robotics', daysAgo: 12 }],
  fragments: [edgeComputer, inspectionCamera, conveyor, palletizerCell, amrBase],
  locations: [
    {
      name: 'Gothenburg Plant',
      metadata: {
        address: 'Hamneviksvägen 14, Göteborg',
        site_code: 'GOT1',
        time_zone: 'Europe/Stockholm',
      },
      locations: [
        { name: 'Palletizing Hall', metadata: { floor: 0 }, locations: palletizingLines },
        {
          name: 'Finished Goods Warehouse',
          metadata: { floor: 0, aisles: 12 },
          machines: trucks,
          locations: [{ name: 'Charging Bay', machines: chargers }],
        },
      ],
    },
    {
      name: 'Application Lab',
      metadata: { address: 'Kranvägen 3, Malmö', site_code: 'MMX2' },
      machines: benches,
    },
  ],
  captures: norrvikCaptures,
  published: norrvikPublished,
};
