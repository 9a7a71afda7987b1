import { useEffect } from 'react';
import { createStore } from '@/shared/store';

const paths = new WeakMap<File, string>();

/** The path of a file in the dropped or chosen folder; its name alone without a folder. */
export function pathOf(file: File): string {
  return paths.get(file) ?? (file.webkitRelativePath || file.name);
}

/** The number of files dragged over the window; null if none are. */
export const dragged = createStore<number | null>(null);

/** Handles files dropped anywhere on the window. Otherwise a browser would leave the page and open the file. */
export function useFileDrop(onFiles: (files: File[]) => void): void {
  useEffect(() => {
    // Every element under the pointer fires enter and leave events; the window is left when both counts are equal.
    let depth = 0;
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth += 1;
      dragged.set(event.dataTransfer?.items.length ?? 1);
    };
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) dragged.set(null);
    };
    const drop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return;
      event.preventDefault();
      depth = 0;
      dragged.set(null);
      void filesOf(event.dataTransfer).then(onFiles);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragenter', enter);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragenter', enter);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
      dragged.set(null);
    };
  }, [onFiles]);
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes('Files') ?? false;
}

/** The files of a drop; of a folder all files in it, except hidden ones. */
async function filesOf(data: DataTransfer): Promise<File[]> {
  // Entries exist during the event only, so they are read before any await.
  const entries = [...data.items].map((item) => item.webkitGetAsEntry());
  const plain = [...data.files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found = await Promise.all(entries.filter((entry) => entry !== null).map(walk));
  return found.flat();
}

async function walk(entry: FileSystemEntry): Promise<File[]> {
  if (entry.name.startsWith('.')) return [];
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => {
      (entry as FileSystemFileEntry).file(resolve, reject);
    });
    paths.set(file, entry.fullPath.replace(/^\//, ''));
    return [file];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const files: File[] = [];
  // A reader returns a part at a time, and an empty list at the end.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (part.length === 0) return files;
    for (const child of part) files.push(...(await walk(child)));
  }
}
