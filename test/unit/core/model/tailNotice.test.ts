import assert from 'node:assert/strict';
import type { JsonObject } from '@bufbuild/protobuf';
import { create } from '@bufbuild/protobuf';
import { LogEntrySchema } from '../../../../src/gen/viam/common/v1/common_pb';
import { logEntryFromWire } from '../../../../src/core/model/logEntry';
import { missedLines, TAIL_LOGGER } from '../../../../src/core/model/tailNotice';

function missedIn(fields: JsonObject[], loggerName = TAIL_LOGGER): number | undefined {
  return missedLines(logEntryFromWire(create(LogEntrySchema, { loggerName, fields })));
}

describe('the notice of a tail', () => {
  it('says how many lines were left out', () => {
    assert.equal(missedIn([{ missed: 12 }]), 12);
  });

  it('is no line of another logger, nor one that says something else', () => {
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
