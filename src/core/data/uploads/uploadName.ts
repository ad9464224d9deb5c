/** Name of an uploaded file: without its last extension, and the extension with its period. */
export interface UploadName {
  readonly fileName: string;
  readonly fileExtension: string;
}

/**
 * Splits the name of a file like the service does (FileUploadFromPath of the spec):
 * `my.file.tar.gz` is `my.file.tar` and `.gz`. As in the public clients, a name without an
 * extension, with only a leading period (`.profile`), or with only a trailing period isn't split.
 * Omits folders.
 */
export function uploadName(path: string): UploadName {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const period = name.lastIndexOf('.');
  const isExtension = period > 0 && period < name.length - 1;
  return isExtension
    ? { fileName: name.slice(0, period), fileExtension: name.slice(period) }
    : { fileName: name, fileExtension: '' };
}
