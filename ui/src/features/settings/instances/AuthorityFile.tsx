import { FileButton } from '@/shared';

/** Reads a certificate of an own authority from a file. */
export function AuthorityFile({ onText }: { onText: (text: string) => void }) {
  return (
    <FileButton
      size="small"
      kind="quiet"
      label="Certificate of an own authority"
      accept=".pem,.crt,.cer"
      onFiles={([file]) => {
        if (file) void file.text().then(onText);
      }}
    >
      Add the certificate of an own authority
    </FileButton>
  );
}
