import '../../../../support/plainVscode';
import assert from 'node:assert/strict';
import {
  connectionId,
  locationId,
  machineId,
  organizationId,
  partId,
} from '../../../../../src/core/model/ids';
import type { PartTarget } from '../../../../../src/core/model/resourceTarget';
import { connectPage } from '../../../../../src/host/features/resources/commands/machineCommands';

const part: PartTarget = {
  kind: 'part',
  connectionId: connectionId('c'),
  organizationId: organizationId('o'),
  locationId: locationId('l'),
  machineId: machineId('m'),
  machineName: 'arm',
  partId: partId('0b2f6f1c'),
  name: 'arm-main',
};

describe('connectPage', () => {
  it('names the address and the ID, but not the secret', () => {
    const page = connectPage('https://fleet.example.com', part);
    assert.match(page, /"app_address": "https:\/\/fleet.example.com:443"/);
    assert.match(page, /"id": "0b2f6f1c"/);
    assert.match(page, /"secret": "…"/);
    assert.doesNotMatch(page, /Only programs on this computer/);
  });

  it('warns that other computers cannot reach a local fleet', () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      assert.match(connectPage(`http://${host}:8080`, part), /Only programs on this computer/);
    }
  });

  it('escapes names that would be markup', () => {
    const page = connectPage('https://f.example.com', {
      ...part,
      machineName: '[arm](command:x) <b>',
    });
    assert.ok(page.startsWith(String.raw`# Connect \[arm\] \(command:x\) \<b\>`), page);
  });
});
