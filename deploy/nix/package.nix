# The executable of a release. `npm run release -- --address …` puts in where the archives are, and their sums.
{
  lib,
  stdenv,
  fetchurl,
  installShellFiles,
  patchelf,
}:
let
  version = "1.0.0";
  address = "https://example.org/shortcrust";
  archives = {
    x86_64-linux = {
      target = "linux-x64";
      sha256 = "@sha256:linux-x64@";
    };
    aarch64-linux = {
      target = "linux-arm64";
      sha256 = "@sha256:linux-arm64@";
    };
    x86_64-darwin = {
      target = "macos-x64";
      sha256 = "@sha256:macos-x64@";
    };
    aarch64-darwin = {
      target = "macos-arm64";
      sha256 = "@sha256:macos-arm64@";
    };
  };
  archive = archives.${stdenv.hostPlatform.system};
in
stdenv.mkDerivation {
  pname = "shortcrust";
  inherit version;

  src = fetchurl {
    url = "${address}/shortcrust-${version}-${archive.target}.tar.gz";
    inherit (archive) sha256;
  };

  nativeBuildInputs = [ installShellFiles ] ++ lib.optional stdenv.hostPlatform.isLinux patchelf;

  # The program lies behind the runtime in the same file: strip would remove it, and a changed rpath makes it crash.
  dontStrip = true;
  dontPatchELF = true;

  installPhase = ''
    runHook preInstall
    install -Dm755 shortcrust $out/bin/shortcrust
    install -Dm644 LICENSE $out/share/doc/shortcrust/LICENSE
  ''
  + lib.optionalString stdenv.hostPlatform.isLinux ''
    patchelf --set-interpreter ${stdenv.cc.bintools.dynamicLinker} $out/bin/shortcrust
    install -Dm644 shortcrust.service $out/lib/systemd/system/shortcrust.service
    substituteInPlace $out/lib/systemd/system/shortcrust.service --replace-fail /usr/local/bin $out/bin
  ''
  + ''
    for shell in bash zsh fish; do
      $out/bin/shortcrust completions $shell > shortcrust.$shell
      installShellCompletion --cmd shortcrust --$shell shortcrust.$shell
    done
    runHook postInstall
  '';

  meta = {
    description = "Pastes and short links from one executable, for a LAN";
    homepage = address;
    license = lib.licenses.mit;
    mainProgram = "shortcrust";
    platforms = builtins.attrNames archives;
    sourceProvenance = [ lib.sourceTypes.binaryNativeCode ];
  };
}
