import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import {
  connectionId,
  datasetId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../../../src/core/model/ids';
import {
  type FileSettings,
  formatSettings,
} from '../../../../../src/host/features/uploads/fileSettings';

const part: FileSettings['part'] = {
  kind: 'part',
  connectionId: connectionId('c'),
  organizationId: organizationId('o'),
  locationId: locationId('l'),
  machineId: machineId('m'),
  machineName: 'arm',
  partId: partId('p'),
  name: 'main',
};

describe('formatSettings', () => {
  it('lists the settings of an upload for its report', () => {
    const [apples, pears] = [datasetId('apples'), datasetId('pears')];
    const settings = {
      part,
      tags: ['day', 'hall'],
      datasets: [apples, pears],
      component: 'camera',
    };
    assert.equal(
      formatSettings(settings, new Map([[apples, 'Apples']])),
      'Tags: day and hall\nDatasets: Apples and pears\nComponent: camera',
    );
  });

  it('is empty for an upload without settings', () => {
    assert.equal(formatSettings({ part, tags: [], datasets: [], component: '' }, new Map()), '');
  });
});
