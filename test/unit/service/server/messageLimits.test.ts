import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { DescMethod } from '@bufbuild/protobuf';
import { fromRoot } from '../../../../scripts/support/paths';
import { DataSyncService } from '../../../../src/gen/viam/app/datasync/v1/data_sync_pb';
import { AppService } from '../../../../src/gen/viam/app/v1/app_pb';
import { RobotService } from '../../../../src/gen/viam/app/v1/robot_pb';
import { MAX_JSON_MEBIBYTES } from '../../../../src/core/validation/configStructure';
import {
  findMessageLimit,
  MAX_DECOMPRESSED_BYTES,
  MAX_JSON_BYTES,
} from '../../../../src/service/server/messageLimits';

const MEBIBYTE = 1024 * 1024;

describe('message limits', () => {
  const readme = readFileSync(fromRoot('src/service/README.md'), 'utf8');
  const findRow = (name: string): string | undefined =>
    new RegExp(`^\\| ${name} +\\| (.*?) +\\|$`, 'm').exec(readme)?.[1];
  const mebibytes = (bytes: number): string => `${String(bytes / MEBIBYTE)} MiB`;
  const limit = (method: DescMethod): string => mebibytes(findMessageLimit(method).bytes);

  it('match the README of the service', () => {
    const { updateRobotPart, updateRobotMetadata, getRobotPart } = AppService.method;
    const documents = [updateRobotPart, updateRobotMetadata, RobotService.method.log].map(limit);
    assert.equal(new Set(documents).size, 1);
    assert.equal(
      findRow('Size of a message'),
      `${limit(getRobotPart)}; in binary form ${String(documents[0])} where a message holds a config, ` +
        `metadata or logs, and ${limit(DataSyncService.method.fileUpload)} for uploads. A JSON message has at ` +
        `most ${mebibytes(MAX_JSON_BYTES)}, and a compressed one ${mebibytes(MAX_DECOMPRESSED_BYTES)} after decompression`,
    );
    assert.equal(
      findRow('Size of a config'),
      `${String(MAX_JSON_MEBIBYTES)} MiB as JSON text, also of metadata, whatever the form of the message`,
    );
  });
});
