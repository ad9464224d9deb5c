/** Name of an uploaded file without its last extension, and the extension with its period. */
export interface UploadName {
  readonly fileName: string;
  readonly fileExtension: string;
}

/**
 * Splits the name of a file the way the service does (FileUploadFromPath in the spec):
 * `my.file.tar.gz` becomes `my.file.tar` and `.gz`. As in the public clients, doesn't split a name
 * without an extension, with only a leading period (`.profile`), or with only a trailing period.
 * Removes the folders.
 */
export function uploadName(path: string): UploadName {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const period = name.lastIndexOf('.');
  const isExtension = period > 0 && period < name.length - 1;
  return isExtension
    ? { fileName: name.slice(0, period), fileExtension: name.slice(period) }
    : { fileName: name, fileExtension: '' };
}
