import assert from 'node:assert/strict';
import {
  deleteReadings,
  getRetentionStartMicros,
  parseDays,
} from '../../../../src/core/data/actions/deleteReadings';
import { FleetError } from '../../../../src/core/api/errors';
import { everyCapture } from '../../../../src/core/model/captureFilter';
import { parseUserName } from '../../../../src/core/stores/databaseStore';
import { signedInTransport } from '../../../../src/simulate/fleet/fleetMachines';
import { PartUploads } from '../../../../src/simulate/machines/partUploads';
import { type CaptureFleet, openCaptureFleet } from '../../../support/captureFleet';

const DAY = 86_400_000;

describe('deleting readings by their age', () => {
  let capture: CaptureFleet;
  before(async () => (capture = await openCaptureFleet()));
  after(() => capture.close());

  it('counts exactly the readings that the service deletes', async () => {
    const { fleet, part, session } = capture;
    const { readings } = session.stores;
    const { id: entity, secret: payload } = fleet.key;
    const transport = await signedInTransport((use) => fleet.wire(use), {
      type: 'api-key',
      entity,
      payload,
    });
    const uploads = PartUploads.over(transport, part.ids.partId);
    const source = { componentType: 'sensor', componentName: 's', methodName: 'Readings' };
    const midnight = Math.floor(fleet.clock.now().getTime() / DAY) * DAY;
    const timestamps = [0, 1, 2, 3, 4].flatMap((n) => [
      midnight - n * DAY,
      midnight - n * DAY - 1,
      midnight - n * DAY + DAY / 2,
    ]);
    await uploads.readings(
      source,
      timestamps.map((at) => ({ at: new Date(at), latencyMs: 0, payload: { at } })),
      [],
    );
    const organization = part.ids.organizationId;
    const filter = { ...everyCapture, organizationIds: [organization] };
    for (const days of [4, 3, 1]) {
      const end = getRetentionStartMicros(fleet.clock.now(), days);
      const counted = await readings.count({ ...filter, end });
      assert.ok(counted > 0);
      assert.equal(await readings.deleteOlderThan(organization, days), counted);
      assert.equal(await readings.count({ ...filter, end }), 0);
    }
    const all = await readings.count(filter);
    assert.equal(await readings.deleteOlderThan(organization, 0), all);
  });

  describe('step by step', () => {
    const DAYS = 30;

    async function captured(): Promise<void> {
      const { fleet, part } = capture;
      const { id: entity, secret: payload } = fleet.key;
      const transport = await signedInTransport((use) => fleet.wire(use), {
        type: 'api-key',
        entity,
        payload,
      });
      const uploads = PartUploads.over(transport, part.ids.partId);
      const source = { componentType: 'sensor', componentName: 's', methodName: 'Readings' };
      const noon = Math.floor(fleet.clock.now().getTime() / DAY) * DAY + DAY / 2;
      const readings = Array.from({ length: DAYS }, (_, n) => ({
        at: new Date(noon - n * DAY),
        latencyMs: 0,
        payload: { n },
      }));
      await uploads.readings(source, readings, []);
    }

    const filter = () => ({
      ...everyCapture,
      organizationIds: [capture.part.ids.organizationId],
    });

    const left = () => capture.session.stores.readings.count(filter());

    it('deletes the oldest first, and can be canceled in between', async () => {
      await captured();
      const { readings } = capture.session.stores;
      const { clock } = capture.fleet;
      const organization = capture.part.ids.organizationId;
      const controller = new AbortController();
      const canceled = await deleteReadings(
        readings,
        { organization, days: 5, agreed: clock.now() },
        { clock, signal: controller.signal, onProgress: () => controller.abort() },
      );
      assert.ok(canceled.deleted < DAYS - 6);
      assert.equal(await left(), DAYS - canceled.deleted);
      const progress: number[] = [];
      const { deleted, stopped } = await deleteReadings(
        readings,
        { organization, days: 5, agreed: clock.now() },
        {
          clock,
          signal: new AbortController().signal,
          onProgress: (done) => progress.push(done),
        },
      );
      // The readings of today and of the previous five days remain.
      assert.deepEqual([await left(), stopped], [6, undefined]);
      assert.equal(deleted + canceled.deleted, DAYS - 6);
      assert.ok(progress.length > 1);
    });

    it('deletes the confirmed days even if the next day has started', async () => {
      const { readings } = capture.session.stores;
      const { clock } = capture.fleet;
      const organization = capture.part.ids.organizationId;
      const agreed = clock.now();
      clock.advance(DAY);
      const options = { clock, signal: new AbortController().signal, onProgress: () => undefined };
      assert.equal(
        (await deleteReadings(readings, { organization, days: 5, agreed }, options)).deleted,
        0,
      );
      await deleteReadings(readings, { organization, days: 0, agreed }, options);
      assert.equal(await left(), 0);
    });
  });

  it('accepts only whole numbers of days', () => {
    assert.deepEqual(['0', ' 30 ', '20000'].map(parseDays), [0, 30, 20_000]);
    for (const text of ['', '-1', '1.5', '1e3', '20001', 'x', '٣']) {
      assert.equal(parseDays(text), undefined, text);
    }
  });
});

describe('the database of an organization', () => {
  let capture: CaptureFleet;
  before(async () => (capture = await openCaptureFleet()));
  after(() => capture.close());

  it('is reported without the password if the service has one', async () => {
    const { session, part } = capture;
    const organization = part.ids.organizationId;
    const { database } = session.stores;
    await assert.rejects(
      database.connection(organization),
      (error) => error instanceof FleetError && error.kind === 'conflict',
    );
    await database.setPassword(organization, 'long enough');
    await assert.rejects(database.setPassword(organization, 'short'), (error) => {
      assert.ok(error instanceof FleetError && error.kind === 'invalid');
      return !error.message.includes('short');
    });
  });

  it('has a user whose name is in its URI', () => {
    assert.equal(parseUserName('mongodb://db-user-1:PASSWORD@host:1/?ssl=true'), 'db-user-1');
    assert.equal(parseUserName('mongodb+srv://a%40b@host/'), 'a@b');
    for (const uri of ['mongodb://host:27017/', '', 'mongodb://%zz:p@h/']) {
      assert.equal(parseUserName(uri), undefined, uri);
    }
  });
});
