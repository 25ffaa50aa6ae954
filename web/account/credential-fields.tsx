const passwordMinChars = 8;
const passwordMaxChars = 128;
const emailMaxChars = 254;

export function EmailField() {
  return (
    <label>
      E-mail address
      <input name="email" type="email" autoComplete="email" required maxLength={emailMaxChars} />
    </label>
  );
}

interface PasswordFieldProps {
  readonly label: string;
  /** Whether the password is chosen here, or one that exists. */
  readonly isNew: boolean;
  /** What to know beyond the length of a new password. */
  readonly note?: string;
}

export function PasswordField({ label, isNew, note = '' }: PasswordFieldProps) {
  return (
    <>
      <label>
        {label}
        <input
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
          minLength={passwordMinChars}
          maxLength={passwordMaxChars}
          aria-describedby={isNew ? 'password-rule' : undefined}
        />
      </label>
      {isNew ? (
        <small id="password-rule" className="muted">
          At least {passwordMinChars} characters. {note}
        </small>
      ) : null}
    </>
  );
}
