import { serviceAddress } from '@/shared/place';
import { ApiError } from './error';

/** The files of one drop: the service decides about them together when all have arrived. */
export interface UploadBatch {
  id: string;
  /** How many files it has. */
  files: number;
}

/**
 * Sends a file and answers its import id. `path` is its name, behind the folders it lay in; `progress` hears the bytes sent.
 *
 * XMLHttpRequest, because fetch does not tell how much of a body has left.
 */
export function upload(
  file: File,
  path: string,
  batch: UploadBatch | null,
  progress: (sent: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const query = new URLSearchParams({ name: path });
  if (batch) {
    query.set('batch', batch.id);
    query.set('batch_files', String(batch.files));
  }
  const address = serviceAddress(`/api/imports?${query.toString()}`);
  return new Promise((resolve, reject) => {
    const wire = new XMLHttpRequest();
    wire.open('POST', address);
    wire.upload.onprogress = (event) => {
      progress(event.loaded);
    };
    wire.onload = () => {
      const body = answer(wire.responseText);
      if (wire.status < 300 && body.id) resolve(body.id);
      else
        reject(
          new ApiError(
            body.error ?? `http_${String(wire.status)}`,
            body.message ?? `The service returned status ${String(wire.status)}.`,
            wire.status,
            address,
          ),
        );
    };
    wire.onerror = () => {
      reject(new ApiError('offline', 'The connection was lost during the upload. Nothing was imported.', 0, address));
    };
    wire.onabort = () => {
      reject(new ApiError('cancelled', 'Stopped. Nothing was imported.', 0, address));
    };
    signal.addEventListener('abort', () => {
      wire.abort();
    });
    wire.send(file);
  });
}

function answer(text: string): { id?: string; error?: string; message?: string } {
  try {
    return JSON.parse(text) as { id?: string; error?: string; message?: string };
  } catch {
    return {};
  }
}
