import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { LogEntrySchema } from '../../../../src/gen/viam/common/v1/common_pb';
import { logEntryFromWire } from '../../../../src/core/model/logEntry';
import { missedLines, TAIL_LOGGER } from '../../../../src/core/model/tailNotice';

function missedIn(fields: JsonObject[], loggerName = TAIL_LOGGER): number | undefined {
  return missedLines(logEntryFromWire(create(LogEntrySchema, { loggerName, fields })));
}

describe('the notice of a log tail', () => {
  it('includes the number of missed lines', () => {
    assert.equal(missedIn([{ missed: 12 }]), 12);
  });

  it('is not recognized in lines of other loggers or with other texts', () => {
    const others: JsonObject[][] = [
      [],
      [{ missed: '12' }],
      [{ missed: 1.5 }],
      [{ missed: 1 }, { missed: 2 }],
    ];
    for (const fields of others) assert.equal(missedIn(fields), undefined);
    assert.equal(missedIn([{ missed: 12 }], 'rdk'), undefined);
  });
});
