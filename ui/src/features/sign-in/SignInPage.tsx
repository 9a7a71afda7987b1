export function SignInPage() {
  return <main className="si" />;
}
