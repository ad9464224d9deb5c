import assert from 'node:assert/strict';
import { create } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { isInProgress, trainingJobFromWire } from '../../../../src/core/model/trainingJob';
import {
  TrainingJobMetadataSchema,
  type TrainingStatus,
} from '../../../../src/gen/viam/app/mltraining/v1/ml_training_pb';

describe('trainingJobFromWire', () => {
  const getError = (code: number, message: string): string | undefined => {
    const wire = create(TrainingJobMetadataSchema, { errorStatus: { code, message } });
    return trainingJobFromWire(wire).error;
  };

  it('includes why a job failed, at least as a number', () => {
    assert.equal(getError(9, 'Add images.'), 'Add images.');
    assert.equal(getError(9, ''), 'code 9');
    assert.equal(getError(0, 'Out of memory.'), 'Out of memory.');
  });

  it('returns the error without escape sequences', () => {
    assert.equal(getError(9, '\u001b[1;31mError:\u001b[0m no images'), 'Error: no images');
    assert.equal(getError(9, '\u001b[0m'), 'code 9');
  });

  it('returns no error for a successful status', () => {
    assert.equal(getError(0, ''), undefined);
    assert.equal(trainingJobFromWire(create(TrainingJobMetadataSchema)).error, undefined);
  });

  it('preserves an unknown state, which is in progress until an end is reported', () => {
    const wire = create(TrainingJobMetadataSchema, { status: 17 as TrainingStatus });
    const job = trainingJobFromWire(wire);
    assert.deepEqual([job.status, isInProgress(job)], [17, true]);
    wire.trainingEnded = timestampFromDate(new Date());
    assert.equal(isInProgress(trainingJobFromWire(wire)), false);
  });
});
