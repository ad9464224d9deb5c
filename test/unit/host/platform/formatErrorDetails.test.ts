import '../../../support/plainVscode';
import assert from 'node:assert/strict';
import { FleetError } from '../../../../src/core/api/errors';
import { formatErrorDetails } from '../../../../src/host/platform/commands/errorPresenter';

const MESSAGE = "Couldn't load the part.";

describe('formatErrorDetails', () => {
  it('returns the message of the service and the request ID', () => {
    const error = new FleetError('internal', MESSAGE, {
      serviceMessage: 'disk full',
      requestId: 'r-1',
    });
    assert.equal(formatErrorDetails(error), 'The service responded: disk full\nRequest ID: r-1');
  });

  it('returns undefined for an error of the client', () => {
    assert.equal(formatErrorDetails(new FleetError('internal', MESSAGE)), undefined);
  });
});
