import { extname } from 'node:path';
import { MimeType } from '../../gen/viam/app/datasync/v1/data_sync_pb';

const UNKNOWN = 'application/octet-stream';

const BY_EXTENSION: Readonly<Record<string, string>> = {
  '.bmp': 'image/bmp',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pcd': 'pointcloud/pcd',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.tar': 'application/x-tar',
  '.tiff': 'image/tiff',
  '.txt': 'text/plain',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};

/** File extensions for the formats that older clients specify instead of an extension. */
const EXTENSIONS: Readonly<Partial<Record<MimeType, string>>> = {
  [MimeType.IMAGE_JPEG]: '.jpeg',
  [MimeType.IMAGE_PNG]: '.png',
  [MimeType.APPLICATION_PCD]: '.pcd',
  [MimeType.VIDEO_MP4]: '.mp4',
};

/**
 * Returns an extension with its leading period, which the client might have omitted; empty if there
 * is no extension.
 */
export function toExtension(sent: string, format = MimeType.UNSPECIFIED): string {
  if (sent === '') {
    return EXTENSIONS[format] ?? '';
  }
  return sent.startsWith('.') ? sent : `.${sent}`;
}

/**
 * Returns the MIME type of a file. It is based on the given extension or, if that is empty, on the
 * extension in the file name.
 */
export function getMimeType(extension: string, fileName: string): string {
  return BY_EXTENSION[(extension || extname(fileName)).toLowerCase()] ?? UNKNOWN;
}
