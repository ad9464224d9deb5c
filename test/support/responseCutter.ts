import type { RequestListener } from 'node:http';

/**
 * Cuts the connection during responses: after `after` bytes of each of the next `times` responses.
 */
export class ResponseCutter {
  after = 0;
  times = 0;

  readonly interfere = (...[, response]: Parameters<RequestListener>): boolean => {
    if (this.times === 0) return false;
    this.times -= 1;
    let left = this.after;
    const write = response.write.bind(response) as (chunk: Uint8Array) => boolean;
    response.write = ((chunk: Uint8Array, ...rest: never[]) => {
      left -= chunk.length;
      if (left > 0) return (write as (...all: unknown[]) => boolean)(chunk, ...rest);
      response.destroy();
      return false;
    }) as typeof response.write;
    return false;
  };
}
