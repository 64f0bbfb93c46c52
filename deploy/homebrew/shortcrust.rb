# Goes into a tap of your own, as Formula/shortcrust.rb. `npm run release -- --address …` puts in where the archives are, and
# their sums.
class Shortcrust < Formula
  desc "Pastes and short links from one executable, for a LAN"
  homepage "https://example.org/shortcrust"
  version "1.0.0"
  license "MIT"

  on_macos do
    on_arm do
      url "https://example.org/shortcrust/shortcrust-1.0.0-macos-arm64.tar.gz"
      sha256 "@sha256:macos-arm64@"
    end
    on_intel do
      url "https://example.org/shortcrust/shortcrust-1.0.0-macos-x64.tar.gz"
      sha256 "@sha256:macos-x64@"
    end
  end

  on_linux do
    on_arm do
      url "https://example.org/shortcrust/shortcrust-1.0.0-linux-arm64.tar.gz"
      sha256 "@sha256:linux-arm64@"
    end
    on_intel do
      url "https://example.org/shortcrust/shortcrust-1.0.0-linux-x64.tar.gz"
      sha256 "@sha256:linux-x64@"
    end
  end

  def install
    bin.install "shortcrust"
    generate_completions_from_executable(bin/"shortcrust", "completions", shells: [:bash, :zsh, :fish])
  end

  def caveats
    <<~EOS
      Make a key before the first start, which would otherwise print one into the log:
        shortcrust keys add me --create --data #{var}/shortcrust
    EOS
  end

  service do
    run [opt_bin/"shortcrust"]
    environment_variables SHORTCRUST_DATA: var/"shortcrust"
    keep_alive successful_exit: false
    log_path var/"log/shortcrust.log"
    error_log_path var/"log/shortcrust.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/shortcrust --version")
    assert_match(/^sc_/, shell_output("#{bin}/shortcrust keys add me --create --data #{testpath}/data"))
  end
end
