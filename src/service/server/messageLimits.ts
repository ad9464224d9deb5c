import type { DescMethod } from '@bufbuild/protobuf';
import { AuthService } from '../../gen/proto/rpc/v1/auth_pb';
import { DataSyncService } from '../../gen/viam/app/datasync/v1/data_sync_pb';
import { PackageService } from '../../gen/viam/app/packages/v1/packages_pb';
import { AppService } from '../../gen/viam/app/v1/app_pb';
import { RobotService } from '../../gen/viam/app/v1/robot_pb';

/** Limits on one request message of a method. */
export interface MessageLimit {
  /** Maximum size after decompression. */
  readonly bytes: number;
  /**
   * Maximum number of fields and elements, which determines how long parsing blocks the event loop.
   */
  readonly values: number;
  /**
   * True if the method stores its message as one document, which can't be split into smaller
   * messages.
   */
  readonly isDocument?: true;
}

export type FindMessageLimit = (method: DescMethod) => MessageLimit;

const KIBIBYTE = 1024;
const MEBIBYTE = 1024 * KIBIBYTE;

/**
 * Maximum message size. Clients send entire files of 64 MiB in one message. The remainder is space
 * for metadata.
 */
export const MAX_MESSAGE_BYTES = 65 * MEBIBYTE;

/**
 * Maximum size of JSON. It is parsed as a whole, in multiple passes, and blocks the event loop.
 * Larger messages must be binary.
 */
export const MAX_JSON_BYTES = 8 * MEBIBYTE;
export const MAX_JSON_VALUES = 100_000;

/**
 * Maximum size of a decompressed message. Copying it blocks the event loop, and even a small
 * request can contain a message of this size.
 */
export const MAX_DECOMPRESSED_BYTES = 16 * MEBIBYTE;

const CREDENTIALS: MessageLimit = { bytes: 64 * KIBIBYTE, values: 1_000 };
/** Default limit of gRPC services. */
const USUAL: MessageLimit = { bytes: 4 * MEBIBYTE, values: 100_000 };
/**
 * Limit for documents. A config with 4 MiB of JSON is several times as large when encoded as a
 * Struct, and a message can contain both forms. The config is parsed in a single step.
 */
const DOCUMENT: MessageLimit = { bytes: 32 * MEBIBYTE, values: 250_000, isDocument: true };
const LOG_LINES: MessageLimit = { bytes: 32 * MEBIBYTE, values: 250_000 };
/** Limit for readings. The embedded store is blocked while it inserts the readings of a message. */
const READINGS: MessageLimit = { bytes: MAX_MESSAGE_BYTES, values: 1_000_000 };
const CONTENT: MessageLimit = { bytes: MAX_MESSAGE_BYTES, values: 10_000 };

const LIMITS: readonly (readonly [MessageLimit, readonly DescMethod[]])[] = [
  [CREDENTIALS, [AuthService.method.authenticate]],
  [READINGS, [DataSyncService.method.dataCaptureUpload]],
  [
    CONTENT,
    [
      DataSyncService.method.fileUpload,
      DataSyncService.method.streamingDataCaptureUpload,
      PackageService.method.createPackage,
      AppService.method.uploadModuleFile,
    ],
  ],
  [
    DOCUMENT,
    [
      AppService.method.updateRobotPart,
      AppService.method.createFragment,
      AppService.method.updateFragment,
      AppService.method.updateOrganizationMetadata,
      AppService.method.updateLocationMetadata,
      AppService.method.updateRobotMetadata,
      AppService.method.updateRobotPartMetadata,
    ],
  ],
  [LOG_LINES, [RobotService.method.log]],
];

const LIMIT_OF_METHOD = new Map(
  LIMITS.flatMap(([limit, methods]) => methods.map((method) => [method, limit] as const)),
);

/** Returns the limits of a method. The limits are low, except for methods that need more. */
export const findMessageLimit: FindMessageLimit = (method) => LIMIT_OF_METHOD.get(method) ?? USUAL;
