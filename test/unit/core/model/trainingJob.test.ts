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

  it('tells why a job failed, if only by a number', () => {
    assert.equal(getError(9, 'Add images.'), 'Add images.');
    assert.equal(getError(9, ''), 'code 9');
    assert.equal(getError(0, 'Out of memory.'), 'Out of memory.');
  });

  it('takes a status that says that all went well for no error', () => {
    assert.equal(getError(0, ''), undefined);
    assert.equal(trainingJobFromWire(create(TrainingJobMetadataSchema)).error, undefined);
  });

  it('keeps the number of a state that it does not know, which goes on until an end is told', () => {
    const wire = create(TrainingJobMetadataSchema, { status: 17 as TrainingStatus });
    const job = trainingJobFromWire(wire);
    assert.deepEqual([job.status, isInProgress(job)], [17, true]);
    wire.trainingEnded = timestampFromDate(new Date());
    assert.equal(isInProgress(trainingJobFromWire(wire)), false);
  });
});
